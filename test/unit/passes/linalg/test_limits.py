"""What a plan may not ask for, each held against what later passes say."""

from __future__ import annotations

from allo_air.device import DEVICES
from allo_air.passes.linalg._limits import broken, overfull
from allo_air.passes.linalg._plan import Plan
from allo_air.passes.linalg._problem import EpilogueOperand, Problem


def test_tiles_of_a_panel_have_descriptors_each_for_what_takes_turns() -> None:
    """All of k is a piece, so that the loop over two tiles has two buffers of each: air-to-aie found 42 of 20 biases and A."""
    problem = Problem(71, 139, 102, "bf16", 16, 32, 16, epilogue=(EpilogueOperand("n", 16),))
    plan = Plan(12, 40, 3, 4, (4, 4, 8), 104, 624, 624, panel="b", tiles=2, turns="a")
    device = DEVICES["npu1"]
    assert overfull(plan, problem, device) is None
    assert "descriptors" in (broken(plan, problem, device) or "")
    assert broken(plan.varied(panel="", tiles=1), problem, device) is None
