"""What a plan may not ask for, each held against what later passes say."""

from __future__ import annotations

from allo_air.device import DEVICES
from allo_air.passes.linalg._limits import exceeds_capacity, exceeds_dma
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import EpilogueOperand, Problem


def test_tiles_of_a_panel_have_descriptors_each_for_what_takes_turns() -> None:
    """All of k is a piece, so that the loop over two tiles has two buffers of each: air-to-aie found 42 of 20 biases and A."""
    problem = Problem(71, 139, 102, "bf16", 16, 32, 16, epilogue=(EpilogueOperand("n", 16),))
    plan = GemmPlan(12, 40, 3, 4, (4, 4, 8), 104, 624, 624, panel="b", tiles=2, multiplexed="a")
    device = DEVICES["npu1"]
    assert exceeds_capacity(plan, problem, device) is None
    assert "descriptors" in (exceeds_dma(plan, problem, device) or "")
    assert exceeds_dma(plan.varied(panel="", tiles=1), problem, device) is None


def test_streams_that_wait_for_each_other_are_no_further_apart_than_cores() -> None:
    """Two streams read B's pieces and a bias after them: of 4 steps each all runs, of 5 it ends in a deadlock (simulated)."""
    problem = Problem(64, 128, 640, "bf16", 16, 32, 32, epilogue=(EpilogueOperand("n", 32),))
    plan = GemmPlan(32, 32, 2, 4, (4, 4, 8), 32, 640, 160, multiplexed="b")
    device = DEVICES["npu1_2col"]
    assert exceeds_capacity(plan, problem, device) is None
    assert "steps apart" in (exceeds_dma(plan, problem, device) or "")
    assert exceeds_dma(plan.varied(k=512, k_piece=128), problem, device) is None
    assert exceeds_dma(plan.varied(k_piece=320), problem, device) is None  # no stream comes to a piece twice in a round
