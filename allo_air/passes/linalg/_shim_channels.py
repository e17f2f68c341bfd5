"""How a plan divides A, B and the result among the shim channels.

Most plans lay the rows of the result along the columns of the array. Each row of cores then has one channel for its rows of A,
B has one for each part of its L2 buffer, and the result has one for each row of cores. If the cores are spread over
`plan.spread` columns along one dimension of the result, only one of A and B differs among them: the large operand, with one or
two channels for each column. The other one is the small operand, which all cores receive. If the shims have no free channel for
it, it shares those of the large one: it is multiplexed.
"""

from __future__ import annotations

from allo_air.access.fit import divisor
from allo_air.arch import arch_of
from allo_air.device import Device
from allo_air.passes._analysis.channel_ends import STEPS_APART
from allo_air.passes.linalg._epilogue_l2 import slice_bytes
from allo_air.passes.linalg._memtile_pairs import halves_array
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import Problem
from allo_air.plan.plan import Route

MULTIPLEXED_PARTS = 4
"""Largest number of channels (of two columns) over which `air-split-l2-pieces` divides a multiplexed operand."""
MAX_UNSPLIT_CORES = 4
"""Largest number of cores of a herd whose L2 buffers `air-split-l2-memref` does not split."""


def shim_channels(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int, int]:
    """The numbers of shim channels of A, of B and of the result."""
    if plan.spread:
        large, small = spread_channels(plan, problem, device)
        return (small, large, plan.spread) if plan.cores_m == 1 else (large, small, plan.spread)
    if plan.cores <= MAX_UNSPLIT_CORES:
        return 1, 1, 1
    return plan.cores_m, (2 if plan.paired else 1) * parts_of_b(plan, device), plan.cores_m


def channel_parts(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """The numbers of parts of A's rows, and of B's columns, that come from external memory in separate transfers.

    A pair of memtiles receives a part of B over two channels.
    """
    if plan.spread:
        return (1, plan.spread // (2 if plan.paired else 1)) if plan.cores_m == 1 else (plan.spread, 1)
    return (plan.cores_m, parts_of_b(plan, device)) if plan.paired else shim_channels(plan, problem, device)[:2]


def parts_of_b(plan: GemmPlan, device: Device) -> int:
    """Parts into which `air-split-l2-memref` splits B's L2 buffer: the largest divisor of `cores_n` for which A leaves shim
    channels.

    A part that goes to a pair of memtiles needs two channels.
    """
    return _parts_of_b(plan.cores_m, plan.cores_n, device, 2 if plan.paired else 1)


def _parts_of_b(cores_m: int, cores_n: int, device: Device, memtiles: int) -> int:
    free = device.columns * device.tiles["shim_noc"].channels[1] - cores_m
    return divisor(cores_n, free // memtiles) or 1


def least_channels(cores_m: int, cores_n: int, spread: int, device: Device) -> tuple[int, int]:
    """Lower bounds of the shim channels of A and B together, and of the result, for plans with these cores, which are spread
    over `spread` columns (`GemmPlan.spread`).
    """
    if spread:
        return spread + 1, spread
    if cores_m * cores_n <= MAX_UNSPLIT_CORES:
        return 2, 1
    return cores_m + min(n * _parts_of_b(cores_m, cores_n, device, n) for n in (1, 2)), cores_m


def halves_cores(plan: GemmPlan, problem: Problem) -> bool:
    """Whether each of a column's two channels feeds half of its cores with the large operand, in contiguous runs along k.

    Only for plans whose cores are spread along one dimension. Otherwise each channel feeds all cores of the column, with
    alternating pieces.
    """
    return problem.transposed_b if plan.cores_m == 1 else not problem.transposed_a


def spread_channels(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """The numbers of shim channels of the large and of the small operand of a plan whose cores are spread along one dimension.

    The large one has a channel in each column, or two if one is slower than memory (`air-alternate-l2-channels`). With two,
    the small one is multiplexed: in parts of a piece, or every second piece, on each of the first two channels, or of four if
    no run gets shorter (`air-split-l2-pieces`).
    """
    arch, pieces = arch_of(device), plan.k // plan.k_piece
    halves, by_rows = halves_cores(plan, problem), is_multiplexed_by_rows(plan, problem)
    if plan.paired:
        multiplexed = 2 if halves_array(plan.spread) else MULTIPLEXED_PARTS if by_rows else 1
        return _pair_channels(plan.spread) * plan.spread // 2, multiplexed
    # Rows or columns, which stand for bytes: both operands have the same extent along k.
    small, large = plan.channel_tile + 8 * slice_bytes(plan, problem) / (plan.k_step * problem.bits), plan.broadcast_array
    slower = plan.spread * arch.channel_bytes < arch.memory_bytes
    if not slower or small * plan.spread > large or (pieces == 1 if halves else pieces % 2):
        return plan.spread, 1
    if not halves:
        return 2 * plan.spread, 2
    if by_rows and plan.spread > 1:
        return 2 * plan.spread, MULTIPLEXED_PARTS
    if problem.epilogue and _has_large_slices(plan, problem):
        return 2 * plan.spread, 1
    most = MULTIPLEXED_PARTS if _k_splits_freely(plan, problem) and pieces % 2 == 0 and plan.spread > 1 else 2
    # Steps alternate with slices of epilogue operands, and are not divided then.
    unit = plan.k_step if problem.epilogue and plan.k_step < plan.k_piece else plan.micro[2]
    return 2 * plan.spread, next(n for n in (most, most // 2, 1) if plan.k_piece // unit % n == 0)


def spread_route(plan: GemmPlan, problem: Problem, device: Device, operand: str) -> Route:
    """The route of A or B of a plan whose cores are spread along one dimension: its channels for each column, or pair of
    columns.
    """
    on_large, on_small = spread_channels(plan, problem, device)
    memtiles = 2 if plan.paired else 1
    alternate = halves_array(plan.spread) if plan.paired else not halves_cores(plan, problem)
    if on_large == plan.spread:
        return Route(operand)
    if operand != plan.shared:
        return Route(operand, channels=on_large * memtiles // plan.spread, alternating=1 + alternate)
    extent = plan.k_piece if _k_splits_freely(plan, problem) else min(plan.array_m, plan.array_n)
    rows = extent // on_small if is_multiplexed_by_rows(plan, problem) else 0
    return Route(operand, rows=rows, channels=on_small, multiplexed="b" if operand == "a" else "a")


def _pair_channels(spread: int) -> int:
    """The number of channels to a pair of memtiles."""
    return 8 if halves_array(spread) else 4


def is_multiplexed_by_rows(plan: GemmPlan, problem: Problem) -> bool:
    """Whether the small operand of such a plan is multiplexed in parts of its rows, all into the same buffer in L2.

    This is so if parts along k would shorten runs, and if the large operand goes to pairs of memtiles.
    """
    if plan.k // plan.k_piece % 2 or (plan.paired and halves_array(plan.spread)):
        return False
    if not plan.paired and plan.k_piece // plan.k_step < STEPS_APART:
        return False
    if problem.epilogue and (plan.paired or _has_large_slices(plan, problem)):
        return False
    if _k_splits_freely(plan, problem):
        return plan.paired and plan.k_piece % MULTIPLEXED_PARTS == 0
    return min(plan.array_m, plan.array_n) % MULTIPLEXED_PARTS == 0


def _has_large_slices(plan: GemmPlan, problem: Problem) -> bool:
    """Whether slices of epilogue operands are so large, compared with the small operand, that it is not divided."""
    return 2 * slice_bytes(plan, problem) >= plan.channel_tile * plan.k_step * problem.bits // 8


def _k_splits_freely(plan: GemmPlan, problem: Problem) -> bool:
    """Whether parts of the small operand along k have runs as long as those of the operand: its rows in memory run across k."""
    return problem.transposed_a if plan.cores_m == 1 else not problem.transposed_b
