"""How many buffer descriptors of shims a plan needs: at the start, and later, from the control processor."""

from __future__ import annotations

from allo_air.device import Device
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._shim_channels import halves_cores, shim_channels, spread_channels

MAX_REPEATED_CHAIN = 4
"""Largest number of descriptors in a chain that a shim's channel repeats (`airrt-to-npu`)."""


def shim_descriptors(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """The number of descriptors that bring operands for the first launch, and of those that the control processor writes later.

    A descriptor of A or of the result iterates over all launches, one of B over a matrix if it repeats. If epilogue operands
    share the channel, one descriptor for each operand forms a chain. The chain is repeated while all of its operands advance
    alike, and written again for each row of launches. Operands that cannot be in a chain (`repeats_epilogue`) are written each
    time.
    """
    channels_a, channels_b, _ = shim_channels(plan, problem, device)
    batch = problem.batch
    if batch == 1 and not problem.epilogue:
        return channels_a + channels_b, 0
    if plan.spread and problem.epilogue:
        return _sliced_descriptors(plan, problem, device)
    m, n, _ = plan.padded(problem)
    rows, columns = m // plan.launch_m, n // plan.launch_n
    launches, b_repeats = batch * rows * columns, batch if rows > 1 else 1
    with_a = len(problem.epilogue) * (plan.shared == "a") if plan.shared else sum(o.along != "n" for o in problem.epilogue)
    chain_a, chain_b = 1 + with_a, 1 + len(problem.epilogue) - with_a
    if repeats_epilogue(plan, problem):
        tiles = plan.tiles * launches
        written = channels_a * (chain_a * tiles if chain_a > 1 else 1)
        written += channels_b * (chain_b * tiles if chain_b > 1 else b_repeats)
    else:
        if columns == 1:
            times, repeats = 1, rows * plan.tiles
        elif plan.panel == "b":
            times, repeats = rows * columns, plan.tiles
        else:
            times, repeats = rows, columns
        written = channels_a * _chain_descriptors(chain_a, times, repeats, batch)
        if chain_b > 1:
            written += channels_b * _chain_descriptors(chain_b, rows, columns * plan.tiles, batch)
        else:
            written += channels_b * b_repeats
    first = channels_a * chain_a + channels_b * chain_b
    return first, max(0, written - first)


def _sliced_descriptors(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
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
    return on_large - multiplexed * (chains + without_slices) + launch, (launches - 1) * launch


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
