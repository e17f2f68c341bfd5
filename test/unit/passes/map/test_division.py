"""The division of a convolution weighs what packing its image costs, and leaves columns that it does not need."""

from dataclasses import replace

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.device import DEVICES
from allo_air.mlir import ir, new_context
from allo_air.passes.map import _division, _packing_cost
from allo_air.passes.map._block_cost import price
from allo_air.passes.map._convolution import convolution_of
from allo_air.passes.map._division import divide
from allo_air.passes.map._kernel import kernel_of

CONVOLUTION = """func.func private @f(%x: tensor<1x64x56x56xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %c = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w, c, u, v) -> (n, c, h + u, w + v)>,
                       affine_map<(n, f, h, w, c, u, v) -> (f, c, u, v)>,
                       affine_map<(n, f, h, w, c, u, v) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x56x56xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x64x56x56xf32>
  return %c : tensor<1x64x56x56xf32>
}"""


@pytest.fixture(scope="module")
def convolution():
    with new_context(), ir.Location.unknown():
        module = asm.read(CONVOLUTION, "<test>")
        [function] = walk_named(module.operation, "func.func")
        yield convolution_of(function)


def test_an_image_of_a_kernel_is_packed_in_blocks_that_repeat_few_rows(convolution) -> None:
    device, moved = DEVICES["npu2"], replace(convolution, moved=1.0, calls=4)
    alone, packed = divide(convolution, device), divide(moved, device)
    assert alone[1].packing == 0
    assert packed[0].rows > alone[0].rows
    assert packed[1].cycles > alone[1].cycles
    assert packed[1].total < price(moved, alone[0], device).total
    assert divide(replace(moved, moved=0.5, calls=1), device)[0] == alone[0], "one call does not save the price of a column"


def test_columns_that_save_no_turn_are_left_to_other_kernels(convolution) -> None:
    """14 blocks of 4 rows take two turns on 8 columns, and on 7."""
    blocks, _, _ = divide(replace(convolution, moved=1.0, calls=4), DEVICES["npu2"])
    assert (blocks.rows, blocks.cores[0]) == (4, 7)


def test_a_search_is_not_repeated(convolution, monkeypatch: pytest.MonkeyPatch) -> None:
    device, kernel = DEVICES["npu2"], kernel_of(convolution.op.parent.operation)
    first, limits = divide(convolution, device), list[float]()

    def least(kernel: object, device: object, *, limit: float) -> float:
        limits.append(limit)
        return 500.0 if limit > 500 else float("inf")

    monkeypatch.setattr(_division, "_divided", lambda *_: pytest.fail("divided again"))
    monkeypatch.setattr(_packing_cost, "least", least)
    assert divide(replace(convolution), device) == first
    cycles = [_packing_cost._least(kernel, "text", device, limit) for limit in (100, 600, 100, 600)]
    assert cycles == [float("inf"), 500.0] * 2 and limits == [100, 600]
