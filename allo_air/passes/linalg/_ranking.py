"""The cycles by which the search ranks plans: the estimate, corrected for effects that the estimate does not model."""

from __future__ import annotations

from allo_air.arch import arch_of
from allo_air.device import Device
from allo_air.passes._analysis.columns import reconfiguration
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import Problem

PADDING = 1.02
"""Penalty factor of a plan that pads: the host copies padded arrays."""

FEWER_CHANNELS = 1.02
"""Penalty factor of a plan whose B uses fewer channels than pairs of memtiles would allow. B's channels then wait for the more
numerous ones of A. In simulation such plans take up to a tenth longer than estimated on npu2, since the estimate shares memory
evenly and does not model how pieces of A and B interleave."""

_ROUNDED_UP = 1 + 1e-9


def penalized(cycles: float, plan: GemmPlan, *, fewer_channels: bool, padded: bool) -> float:
    """`cycles` times the penalties of `plan`.

    `fewer_channels` says that its B could use more channels (`_candidates.could_use_more_channels`), and `padded` that it pads.
    """
    return cycles * (PADDING if padded else 1) * (FEWER_CHANNELS if fewer_channels and not plan.paired else 1)


def unpadding_cycles(plan: GemmPlan, problem: Problem, device: Device) -> float:
    """Cycles of a kernel that removes the padding from the result, if the next kernel needs it without; 0 otherwise."""
    return 0 if plan.padded(problem)[:2] == (problem.m, problem.n) else _unpadding(problem, device)


def most_ranked(cycles: float, problem: Problem, device: Device) -> float:
    """A number above the cycles by which the search ranks plans that take at most `cycles`."""
    return cycles * PADDING * FEWER_CHANNELS * _ROUNDED_UP + _unpadding(problem, device)


def _unpadding(problem: Problem, device: Device) -> float:
    if not problem.unpad_result:
        return 0
    moved = 2 * problem.batch * problem.m * problem.n * problem.result_bits / 8
    return moved / arch_of(device).memory_bytes + reconfiguration(device)
