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


def test_blocks_of_a_convolution_keep_their_columns() -> None:
    """Plans of `plan-tiles` replaced theirs, whose arrays have another layout."""
    with reused_context():
        module = asm.read(TEXT)
        [kernel] = walk_named(module, "func.func")
        for name, has_plan in (("tiles", True), ("window", False)):
            family = family_of(name)
            assert family is not None
            assert (family.replan(kernel, Plan(name), Target(NPU2))(NPU2) is not None) == has_plan


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
