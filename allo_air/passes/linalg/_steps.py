"""The steps along k of a plan, the padded extent of k, and the strips in which a core sends its result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.passes.linalg._limits import exceeds_l1
from allo_air.passes.linalg._plan import DESCRIPTORS, L2_PIECE, GemmPlan, Panel, round_up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._shapes import Shape, spread_columns

MIN_STRIPS = 8
"""Smallest number of strips of a result that leaves in strips, if its rows allow it: two strips, a quarter of the result, are
then in L1 next to its sums.
"""
MAX_SLICED_STEPS = 4
"""Largest number of steps to try that divide epilogue operands into slices, for each tile: with more slices steps are short."""


def strips_and_steps(
    problem: Problem, device: Device, micro: tuple[int, int, int], shape: Shape, k_step: int, multiplexed: Panel
) -> Iterator[tuple[int, int, int]]:
    """The strips, steps and padded extents of k to try. `k_step` is the user's choice, or 0."""
    for strips in strip_counts(problem, shape.herd_m // micro[0]):
        for step, k in _steps_and_extents(problem, device, micro, shape, k_step, multiplexed, strips):
            yield strips, step, k


def strip_counts(problem: Problem, blocks: int) -> tuple[int, ...]:
    """The numbers of strips to try for a core's result of `blocks` rows of micro-tiles, in ascending order.

    Only a result whose type differs from that of its sums leaves in strips.
    """
    counts = [count for count in range(4, blocks + 1, 2) if blocks % count == 0]
    if problem.result_bits == problem.accumulator_bits or problem.epilogue or not counts:
        return (1,)
    return 1, next((count for count in counts if count >= MIN_STRIPS), counts[-1])


def longest_step(plan: GemmPlan, problem: Problem, device: Device) -> int:
    """Elements along k of the longest step for which L1 has room; at least `plan.k_step`, which must be a micro-tile's."""
    unit, element_bytes = plan.k_step, plan.step_bytes(problem)
    room = core_room(device) - (plan.l1_bytes(problem) - unit * element_bytes)
    return max(unit, room // element_bytes // unit * unit)


def _steps_and_extents(
    problem: Problem, device: Device, micro: tuple[int, int, int], shape: Shape, k_step: int, multiplexed: Panel, strips: int
) -> Iterator[tuple[int, int]]:
    """Steps and padded extents of k: the longest step that fits in L1, and shorter ones that pad less or divide evenly."""
    unit = micro[2]
    cores_m, herd_m, cores_n, herd_n = shape
    # A multiplexed plan has so many steps here that epilogue operands share the buffers of the steps.
    cores, k = ((cores_m, cores_n), DESCRIPTORS * unit) if multiplexed else ((1, 1), unit)
    shortest = GemmPlan(herd_m, herd_n, *cores, micro, unit, k, unit, multiplexed=multiplexed, strips=strips)
    for step in sorted({k_step} if k_step else _steps(problem.k, unit, longest_step(shortest, problem, device))):
        piece = round_up(L2_PIECE, step)
        # Whole steps, an even number of steps, whole pieces, an even number of pieces.
        for extent in {round_up(problem.k, multiple) for multiple in (step, 2 * step, piece, 2 * piece)}:
            yield step, extent
    if not k_step and problem.epilogue and spread_columns(cores_m, cores_n, device):
        spread = GemmPlan(herd_m, herd_n, cores_m, cores_n, micro, unit, round_up(problem.k, unit), unit, spread=1)
        yield from _sliced_steps(spread, problem, device)


def _steps(k: int, unit: int, longest: int) -> set[int]:
    """Steps of whole micro-tiles (`unit`) for `k` elements: equal ones, the longest, and powers of two from a quarter of it."""
    count = -(-k // longest)
    equal = {round_up(-(-k // steps), unit) for steps in (count, count + 1, 2 * count)}
    powers = {s for s in (1 << p for p in range(1, 10)) if s % unit == 0 and longest <= 4 * s and s <= min(longest, k)}
    return equal | {min(longest, round_up(k, unit))} | powers


def _sliced_steps(plan: GemmPlan, problem: Problem, device: Device) -> Iterator[tuple[int, int]]:
    """Steps and padded extents of k if epilogue operands arrive in slices, one with each step. The longest steps that fit in
    L1, in an even number.

    `plan` has steps of a micro-tile.
    """
    unit, blocks = plan.k_step, plan.broadcast_array // plan.micro["ba".index(plan.shared)]
    counts = (n for n in range(2, blocks + 1, 2) if blocks % n == 0)
    steps = ((step, n * step) for n in counts for step in [round_up(-(-problem.k // n), unit)])
    fitting = ((step, k) for step, k in steps if not exceeds_l1(plan.varied(k_step=step, k=k), problem, device))
    yield from islice(fitting, MAX_SLICED_STEPS)
