"""Plans for fewer columns that replace the plan of a kernel."""

from dataclasses import replace

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.core.walking import walk_named
from allo_air.device import DEVICES
from allo_air.passes.linalg._families import family_of
from allo_air.passes.map import _demand
from allo_air.plan.family import Target
from allo_air.plan.plan import Plan

TEXT = """
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<96x320xf32>) -> tensor<96x320xf32> {
  %e = tensor.empty() : tensor<96x320xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<96x320xf32>) outs(%e : tensor<96x320xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<96x320xf32>
  return %r : tensor<96x320xf32>
}
"""
NPU2 = DEVICES["npu2"]


def test_blocks_of_a_convolution_keep_their_columns_without_a_price() -> None:
    """Plans of `plan-tiles` replaced theirs, whose arrays have another layout."""
    with reused_context():
        module = asm.read(TEXT)
        [kernel] = walk_named(module, "func.func")
        for name, has_plan in (("tiles", True), ("window", False)):
            family = family_of(name)
            assert family is not None
            assert (family.replan(kernel, Plan(name), Target(NPU2))(NPU2) is not None) == has_plan


IMAGE, WEIGHTS, RESULT = "tensor<1x4x1x2x6x9x4x8xf32>", "tensor<1x2x2x3x3x8x4xf32>", "tensor<1x4x1x1x2x4x7x4x4xf32>"
BLOCKS = f"""
func.func @f(%x: {IMAGE}, %w: {WEIGHTS}) -> {RESULT} {{
  %e = tensor.empty() : {RESULT}
  return %e : {RESULT}
}}
"""


def test_blocks_of_a_convolution_take_more_turns_on_fewer_columns() -> None:
    """Three columns do not divide four blocks. The arrays keep their layout: only the blocks of a turn change."""
    plan = Plan("window", "herd 4x4", launch=(1, 4, 1, 4), cores=(4, 4), piece=1, cycles=1000)
    with reused_context():
        module = asm.read(BLOCKS)
        [kernel] = walk_named(module, "func.func")
        family = family_of("window")
        assert family is not None
        replan = family.replan(kernel, plan, Target(NPU2))
        results = {columns: replan(replace(NPU2, columns=columns)) for columns in (8, 4, 3, 2, 1)}
        priced = replan(replace(NPU2, columns=4))
        assert priced is not None and priced == (plan, 1000)
    assert [columns for columns, result in results.items() if result is not None] == [4, 2, 1]
    narrow = results[2]
    assert narrow is not None
    assert (narrow[0].cores, narrow[0].launch, narrow[0].cycles, narrow[1]) == ((2, 4), (1, 2, 1, 4), 2000, 2000)


def test_the_needs_of_tiles_are_computed_once_for_all_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    demand = _demand.Model._demand
    monkeypatch.setattr(_demand.Model, "_demand", lambda model, sizes: asked.append(sizes) or demand(model, sizes))
    with reused_context():
        module = asm.read(TEXT)
        [kernel] = walk_named(module, "func.func")
        family = family_of("tiles")
        assert family is not None
        replan = family.replan(kernel, Plan("tiles"), Target(NPU2))
        assert sum(replan(replace(NPU2, columns=columns)) is not None for columns in (8, 4, 2)) > 1
    assert len(asked) == len(set(asked))
