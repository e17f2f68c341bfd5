"""The interpreter on what torch-mlir imports: answers of PyTorch, and what gathers and assertions may not do."""

from typing import Any

import numpy as np
import pytest

from allo_air import asm, interp
from allo_air.interp.errors import OutOfBounds, PoisonRead, RunError
from torch_modules import load

QUICK = [
    *("argmax_rows", "batch_norm", "broadcasts", "casts", "comparisons", "concat", "conv2d_groups", "conv2d_pad", "embedding"),
    *("gather", "group_norm", "index_select", "leaky_relu", "max_pool_pad", "pad", "quantize", "sdpa_masked", "slice", "tril"),
]
"""All of them run simplified in test/unit/passes/linalg, and both ways by `make torch-modules`."""


@pytest.mark.parametrize("name", QUICK)
def test_meets_float64(context: Any, name: str) -> None:
    case = load(name)
    case.check(interp.run(asm.read(case.text, name), case.inputs))


GATHER = """func.func @f(%t: tensor<4xf32>, %i: tensor<3xindex>) -> tensor<3xf32> {{
  %e = tensor.empty() : tensor<3xf32>
  {table}
  %r = linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}}
      ins(%i : tensor<3xindex>) outs(%e : tensor<3xf32>) {{
  ^bb0(%at: index, %o: f32):
    {check}
    %x = tensor.extract %u[%at] : tensor<{n}xf32>
    linalg.yield %x : f32
  }} -> tensor<3xf32>
  return %r : tensor<3xf32>
}}"""
ALL = "%u = tensor.cast %t : tensor<4xf32> to tensor<4xf32>"
LONGER = """%long = tensor.empty() : tensor<9xf32>
  %u = tensor.insert_slice %t into %long[0] [4] [1] : tensor<4xf32> into tensor<9xf32>"""
BELOW = '%c3 = arith.constant 3 : index\n %ok = arith.cmpi ult, %at, %c3 : index\n cf.assert %ok, "below 3"'


def gathered(at: list[int], table: str = ALL, n: int = 4, check: str = "") -> Any:
    module = asm.read(GATHER.format(table=table, n=n, check=check))
    return interp.run(module, [np.arange(4, dtype=np.float32), np.array(at)])[0]


def test_gather(context: Any) -> None:
    assert gathered([3, 0, 1]).tolist() == [3, 0, 1]
    assert gathered([3, 0, 1], LONGER, 9).tolist() == [3, 0, 1]  # what nothing has written is not read
    assert gathered([2, 0, 1], check=BELOW).tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("at", "more", "error", "message"),
    [
        ([0, 4, 1], {}, OutOfBounds, "has a memref.load outside of its buffer"),
        ([0, -1, 1], {}, OutOfBounds, "has a memref.load outside of its buffer"),
        ([0, 5, 1], {"table": LONGER, "n": 9}, PoisonRead, "reads elements of a tensor that nothing has written"),
        ([0, 3, 1], {"check": BELOW}, RunError, "has an assertion that does not hold: below 3"),
    ],
)
def test_gather_refuses(context: Any, at: list[int], more: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        gathered(at, **more)


def test_assertion_of_a_function(context: Any) -> None:
    module = asm.read('func.func @f(%c: i1) {\n cf.assert %c, "expected"\n return\n}')
    interp.run(module, [True])
    with pytest.raises(RunError, match="op does not hold: expected"):
        interp.run(module, [False])
