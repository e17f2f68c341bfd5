"""--verify-each=execute allows a step of bf16 where a pass rounds to bf16, and no more than that of f32 where none does."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SOFTMAX = """func.func @sm(%x: tensor<5x13xbf16>) -> tensor<5x13xbf16> {
  %e = tensor.empty() : tensor<5x13xbf16>
  %s = linalg.softmax dimension(1) ins(%x : tensor<5x13xbf16>) outs(%e : tensor<5x13xbf16>) -> tensor<5x13xbf16>
  return %s : tensor<5x13xbf16>
}
"""

SCALE = '''
from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir


@dataclass(frozen=True)
class Scale(Pass):
    """Multiplies by another constant: `by` for 0.5."""

    name = "scale"
    by: str = "0.625"

    def run(self, op: Any, /) -> None:
        for constant in walk_named(op, "arith.constant"):
            value = constant.attributes["value"]
            if value.value == 0.5:
                constant.attributes["value"] = ir.FloatAttr.get(value.type, float(self.by))
'''

HALF = """#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<13xbf16>) -> tensor<13xTYPE> {{
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<13xTYPE>
  %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%x : tensor<13xbf16>)
      outs(%e : tensor<13xTYPE>) {{
  ^bb0(%p: bf16, %o: TYPE):
    %w = arith.extf %p : bf16 to f32
    %n = math.tanh %w : f32
    %a = arith.addf %n, %w : f32
    %y = arith.mulf %a, %half : f32
    {last}
  }} -> tensor<13xTYPE>
  return %r : tensor<13xTYPE>
}}
"""


def test_a_rounded_intermediate_is_allowed(opt: Callable[..., Any], tmp_path: Path) -> None:
    program = tmp_path / "sm.mlir"
    program.write_text(SOFTMAX)
    result = opt(program, "--simplify-linalg", "--verify-each=execute")
    assert result.status == 0, result.err


@pytest.mark.parametrize("element,by,status", [("bf16", "0.5009765625", 0), ("bf16", "0.625", 1), ("f32", "0.5009765625", 1)])
def test_the_allowance_is_that_of_the_rounded_type(
    opt: Callable[..., Any], tmp_path: Path, element: str, by: str, status: int
) -> None:
    program, passes = tmp_path / "f.mlir", tmp_path / "scale.py"
    passes.write_text(SCALE)
    last = "linalg.yield %y : f32" if element == "f32" else "%t = arith.truncf %y : f32 to bf16\n    linalg.yield %t : bf16"
    program.write_text(HALF.format(last=last).replace("TYPE", element))
    result = opt(program, f"--load={passes}", f"--scale=by={by}", "--verify-each=execute")
    assert result.status == status, result.err
    if status:
        rounding = "" if element == "f32" else " + 2 / 2**8"
        assert f"elements differ); allowed is (13 + 1) / 2**24{rounding} of the largest value" in result.err
