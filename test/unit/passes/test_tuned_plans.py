"""Planners rank their plans, and take others from a folder: legal ones only."""

import re
from pathlib import Path

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes._analysis.tuned_plans import Planned, collect
from allo_air.passes.linalg.plan_gemm import PlanGemm
from allo_air.passes.map.plan_attention import PlanAttention
from allo_air.passes.map.plan_tiles import PlanTiles

GEMM = """func.func @NAME(%a: tensor<96x64xi8>, %b: tensor<64x80xi8>) -> tensor<96x80xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96x80xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<96x80xi32>) -> tensor<96x80xi32>
  %c = linalg.matmul ins(%a, %b : tensor<96x64xi8>, tensor<64x80xi8>) outs(%f : tensor<96x80xi32>) -> tensor<96x80xi32>
  return %c : tensor<96x80xi32>
}"""
ADD = """func.func private @NAME(%a: tensor<96xi32>, %b: tensor<96xi32>) -> tensor<96xi32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<96xi32>
  %c = linalg.add ins(%a, %b : tensor<96xi32>, tensor<96xi32>) outs(%e : tensor<96xi32>) -> tensor<96xi32>
  return %c : tensor<96xi32>
}"""


def planned(planner: Pass, text: str, name: str = "f") -> tuple[Planned, str]:
    """What the planner says of a kernel, and its text with the notes gone."""
    with reused_context(), ir.Location.unknown():
        module = asm.read(text.replace("NAME", name), "<test>")
        planner.run(module.operation)
        [found] = collect(module.operation)
        return found, str(module)


@pytest.mark.parametrize(("kind", "text"), [(PlanGemm, GEMM), (PlanTiles, ADD)])
def test_every_ranked_plan_can_be_taken(kind: type[Pass], text: str, tmp_path: Path) -> None:
    own, _ = planned(kind(ranking=4), text)  # type: ignore[call-arg]
    assert own.candidate.plan == own.ranking[0].plan and not own.tuned
    assert len({candidate.plan for candidate in own.ranking}) == 4
    for candidate in own.ranking:
        (tmp_path / own.key).write_text(candidate.text)
        taken, module = planned(kind(plans=str(tmp_path)), text, "another_name")  # type: ignore[call-arg]
        assert taken.tuned and taken.candidate == candidate and taken.key == own.key
        assert 'chosen = "tuned: herd' in module and own.key not in module


@pytest.mark.parametrize(("kind", "text"), [(PlanGemm, GEMM), (PlanTiles, ADD)])
@pytest.mark.parametrize("change", ["nonsense", '{"plan": 3}', "other plan", "columns"])
def test_what_cannot_be_taken_is_left(kind: type[Pass], text: str, change: str, tmp_path: Path) -> None:
    own, _ = planned(kind(ranking=1), text)  # type: ignore[call-arg]
    told = own.ranking[0].text
    if change == "other plan":
        told = told.replace('"plan": "', '"plan": "no ')
    elif change == "columns":
        told = re.sub(r'(?<="columns": )\d', "40", told)
    else:
        told = change
    (tmp_path / own.key).write_text(told)
    left, _ = planned(kind(plans=str(tmp_path)), text)  # type: ignore[call-arg]
    assert not left.tuned and left.candidate == own.candidate


def test_the_key_depends_on_what_is_computed_and_on_the_options() -> None:
    keys = {
        planned(planner, text)[0].key
        for planner, text in (
            (PlanTiles(ranking=1), ADD),
            (PlanTiles(ranking=2), ADD),
            (PlanTiles(ranking=1, device="npu2"), ADD),
            (PlanTiles(ranking=1, rows=1), ADD),
            (PlanTiles(ranking=1), ADD.replace("96", "128")),
            (PlanTiles(ranking=1), ADD.replace("linalg.add", "linalg.mul")),
        )
    }
    assert len(keys) == 5


def test_attention_is_ranked(tmp_path: Path) -> None:
    text = Path(__file__).parents[2].joinpath("lit/passes/map/plan-attention/plan.mlir").read_text()
    with reused_context(), ir.Location.unknown():
        module = asm.read(text, "<test>")
        PlanAttention(ranking=3).run(module.operation)
        kernels = list(collect(module.operation))
    assert kernels and all(k.candidate.plan == k.ranking[0].plan for k in kernels)
