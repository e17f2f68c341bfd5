"""How much `plan-gemm` searches."""

from __future__ import annotations

from typing import Any

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.core.walking import walk_named
from allo_air.passes.linalg import plan_gemm
from allo_air.passes.linalg._match import find
from helpers import apply

BIASED = """
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func private @k(%a: tensor<36x32xi8>, %b: tensor<32x66xi8>, %bias: tensor<66xi32>) -> tensor<36x66xi32>
    attributes {allo.kernel} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<36x66xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<36x66xi32>) -> tensor<36x66xi32>
  %c = linalg.matmul ins(%a, %b : tensor<36x32xi8>, tensor<32x66xi8>) outs(%f : tensor<36x66xi32>) -> tensor<36x66xi32>
  %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<36x66xi32>, tensor<66xi32>) outs(%e : tensor<36x66xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<36x66xi32>
  return %r : tensor<36x66xi32>
}
"""


@pytest.mark.parametrize(("bodies", "least"), [("", 0), ("%t = math.erf %x : f32", 15)])
def test_the_operations_of_an_epilogue_take_time(bodies: str, least: float) -> None:
    text = BIASED.replace("xi32", "xf32").replace(": i32", ": f32").replace("xi8>", "xf32>").replace("0 : f32", "0.0 : f32")
    text = text.replace("%s = arith.addi %x, %y", f"{bodies}\n%s = arith.addf {'%t' if bodies else '%x'}, %y")
    with reused_context():
        module = asm.read(text)
        [function] = walk_named(module.operation, "func.func")
        gemm = find(function)
        assert gemm is not None
        assert least <= gemm.problem.epilogue_cycles < least + 15


def test_a_product_that_takes_less_than_another_configuration_is_not_planned_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, choose = [], plan_gemm.cheapest_plan

    def noted(problem: Any, *rest: Any, **named: Any) -> Any:
        asked.append(problem)
        return choose(problem, *rest, **named)

    monkeypatch.setattr(plan_gemm, "cheapest_plan", noted)
    with reused_context():
        module = apply(asm.read(BIASED), plan_gemm.PlanGemm(strict=False))
        assert "allo.plan" in asm.write(module)
    assert asked and all(problem.epilogue for problem in asked)
