"""How many buffer descriptors of shims a plan needs: at the start, and later, from the control processor."""

from __future__ import annotations

from typing import NamedTuple

from allo_air.device import Device
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._shim_channels import halves_cores, shim_channels, spread_channels

MAX_REPEATED_CHAIN = 4
"""Largest number of descriptors in a chain that a shim's channel repeats (`airrt-to-npu`)."""
IN_FLIGHT = 4
"""Largest number of descriptors of a channel that are written before the sequence waits for the first (`airrt-to-npu`)."""


class ShimDescriptors(NamedTuple):
    """The descriptors of a plan: those of its operands, and the later ones of its results."""

    first: int
    """The descriptors that bring operands for the first launch."""
    later: int = 0
    """The descriptors that the control processor writes afterwards."""
    held: int = 0
    """The part of `later` that it writes before it waits for the first time."""


def shim_descriptors(plan: GemmPlan, problem: Problem, device: Device) -> ShimDescriptors:
    """The descriptors of `plan`.

    A descriptor iterates over all launches, and repeats all that it reads. So A has a descriptor for each matrix if it is
    repeated for a row of launches, and without a panel for each of these rows; B has one for each matrix if it is repeated for
    these. Iterations over tiles, rows, columns and matrices of a result do not fit into a descriptor. If epilogue operands
    share the channel, one descriptor for each operand forms a chain. The chain is repeated while all of its operands advance
    alike, and written again for each row of launches. Operands that cannot be in a chain (`repeats_epilogue`) are written each
    time.
    """
    channels_a, channels_b, channels_result = shim_channels(plan, problem, device)
    batch = problem.batch
    m, n, _ = plan.padded(problem)
    rows, columns = m // plan.launch_m, n // plan.launch_n
    launches, b_repeats = batch * rows * columns, batch if rows > 1 else 1
    results = channels_result, 1, batch if m > plan.array_m and n > plan.array_n else 1
    if not problem.epilogue:
        a_repeats = 1 if columns == 1 else batch if plan.panel == "b" else batch * rows
        return _of_channels((channels_a, 1, a_repeats), (channels_b, 1, b_repeats), results)
    if plan.spread:
        return _sliced_descriptors(plan, problem, device)
    with_a = len(problem.epilogue) * (plan.shared == "a") if plan.shared else sum(o.along != "n" for o in problem.epilogue)
    chain_a, chain_b = 1 + with_a, 1 + len(problem.epilogue) - with_a
    if repeats_epilogue(plan, problem):
        tiles = plan.tiles * launches
        written_a = chain_a * tiles if chain_a > 1 else 1
        written_b = chain_b * tiles if chain_b > 1 else b_repeats
    else:
        if columns == 1:
            times, repeats = 1, rows * plan.tiles
        elif plan.panel == "b":
            times, repeats = rows * columns, plan.tiles
        else:
            times, repeats = rows, columns
        written_a = _chain_descriptors(chain_a, times, repeats, batch)
        written_b = _chain_descriptors(chain_b, rows, columns * plan.tiles, batch) if chain_b > 1 else b_repeats
    return _of_channels((channels_a, chain_a, written_a), (channels_b, chain_b, written_b), results)


def _of_channels(*groups: tuple[int, int, int]) -> ShimDescriptors:
    """The descriptors of groups of channels, the last one of results: each with its number of channels, and for one of them the
    descriptors of its first chain and all.
    """
    first = sum(channels * chain for channels, chain, _ in groups[:-1])
    later = sum(channels * max(0, written - chain) for channels, chain, written in groups)
    held = sum(channels * max(0, min(IN_FLIGHT, written) - chain) for channels, chain, written in groups)
    return ShimDescriptors(first, later, held)


def _sliced_descriptors(plan: GemmPlan, problem: Problem, device: Device) -> ShimDescriptors:
    """The same if epilogue operands arrive in slices.

    The shared operand, the operand that it precedes and the slices form a chain. The chain is repeated for the pieces of a
    launch, or written for each piece if one of its operands is the same for all.
    """
    on_large, on_small = spread_channels(plan, problem, device)
    multiplexed = on_large + on_small > device.columns * device.tiles["shim_noc"].channels[1]
    m, n, k = plan.padded(problem)
    launches = problem.batch * (m // plan.launch_m) * (n // plan.launch_n)
    rewritten = any(o.along != "mn" and not plan.differs_in_broadcast(o.along) for o in problem.epilogue)
    alternates = multiplexed and not halves_cores(plan, problem)
    chains = 2 if alternates else 1
    without_slices = 0 if alternates else on_small - 1  # channels that bring only a part of the shared operand
    launch = chains * (1 + len(problem.epilogue) + multiplexed) * (k // plan.k_piece if rewritten else 1)
    launch += without_slices * (1 + multiplexed)
    return ShimDescriptors(on_large - multiplexed * (chains + without_slices) + launch, (launches - 1) * launch)


def repeats_epilogue(plan: GemmPlan, problem: Problem) -> bool:
    """Whether a descriptor of an epilogue operand reads its row or column repeatedly, to fill a step along k."""
    return bool(plan.multiplexed) and any(o.along != "mn" for o in problem.epilogue)


def _chain_descriptors(length: int, times: int, repeats: int, batch: int) -> int:
    """Descriptors of a channel whose chain of `length` descriptors is started `times` times for each of `batch` matrices, with
    `repeats` repetitions each.
    """
    if length == 1:
        return 1
    if repeats == 1:
        return length * (batch if times > 1 else 1)
    return length * batch * (min(repeats, times) if length * repeats <= MAX_REPEATED_CHAIN else times)
