"""The hardware limits on a plan."""

from __future__ import annotations

from math import ceil

from allo_air.access.fit import divisor
from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_ELEMENTS, MAX_PATCH, MAX_SIZE, core_room
from allo_air.device import Device
from allo_air.passes._analysis.channel_ends import STEPS_APART
from allo_air.passes.linalg import _epilogue_operands as epilogue
from allo_air.passes.linalg._pairs import asks_for, fuller_half, halves_columns
from allo_air.passes.linalg._plan import L2_PIECE, GemmPlan, up
from allo_air.passes.linalg._problem import Problem
from allo_air.plan.plan import halves_array, pair_channels

PANEL_BDS = 16
"""Buffer descriptors of a memtile that air-split-l2-panels gives the parts of a panel."""
SHORTEST = L2_PIECE // 8
"""Elements along k of the shortest pieces that are tried, unless k is shorter or a step is longer."""
MULTIPLEXED_PARTS = 4
"""Largest number of channels (of two columns) over which `air-split-multiplexed-transfers` divides a multiplexed operand."""
WHOLE = 4
"""Largest number of cores of a herd for which air-split-l2-memref leaves L2 buffers whole."""


def broken(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The first limit besides `overfull` that `plan` exceeds, with the need and the capacity; None if there is none."""
    return (
        loops(plan, problem)
        or channels(plan, device)
        or (asks_for(plan, problem, device) if plan.paired else None)
        or rings(plan, problem, device)
        or descriptors(plan, problem, device)
        or _epilogue_limits(plan, problem, device)
    )


def _epilogue_limits(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The needs of epilogue operands."""
    if not problem.epilogue:
        return None
    if plan.spread:
        many, few = spread_channels(plan, problem, device)
        return epilogue.slices(plan, problem, device, many // plan.spread, few if halves_cores(plan, problem) else 0)
    return epilogue.rings(plan, problem, device, *_streams(plan, device))


def loops(plan: GemmPlan, problem: Problem) -> str | None:
    """Outer loops around the matrix multiplication count as one iteration each, and take a dimension of descriptors of their
    own.
    """
    if problem.looped and 1 in (plan.launch_m, plan.launch_n, plan.k):
        return "computes a single row in a launch, with loops around"
    return None


def arrays(problem: Problem) -> str | None:
    """The host's arrays, for any plan."""
    for name, rows, columns, bits in (
        ("A", problem.m, problem.k, problem.bits),
        ("B", problem.k, problem.n, problem.bits),
        ("the result", problem.m, problem.n, problem.result_bits),
    ):
        elements = problem.batch * rows * columns
        size = elements * bits // 8
        if size > MAX_PATCH or elements > MAX_ELEMENTS:
            return (
                f"{name} has {elements:,} elements, {size:,} bytes; the 32-bit offsets of a runtime sequence reach "
                f"{MAX_ELEMENTS:,} elements and {MAX_PATCH:,} bytes of an array: split it on the host"
            )
    return None


def overfull(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The cores and memories: the first limit that `plan`, and any plan with longer pieces in L2, exceeds."""
    return grid(plan, device) or l1(plan, problem, device) or l2(plan, problem, device)


def grid(plan: GemmPlan, device: Device) -> str | None:
    """The cores of the device."""
    rows = len(device.core_rows)
    if plan.spread:
        fits = plan.cores == plan.spread * rows and (plan.paired or not halves_columns(plan.spread, device))
        return None if fits else f"spreads {plan.cores} cores over {plan.spread} columns of {rows}"
    fits = plan.cores_m <= device.columns and plan.cores_n <= rows
    if fits or plan.cores <= rows:
        return None
    return f"asks for {plan.cores_m} x {plan.cores_n} cores, {device.name} has {device.columns} columns of {rows}"


def l1(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """A core's memory."""
    have = core_room(device)
    need = plan.l1_bytes(problem)
    if need <= have:
        return None
    return f"needs {need:,} bytes of a core's memory (L1), which has {have:,} beside the stack"


def l2(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """A memtile's memory."""
    need, _ = held_in_l2(plan, problem, device)
    have = device.tiles["mem"].memory
    return f"needs {need:,} bytes of a memtile (L2), which has {have:,}" if need > have else None


def held_in_l2(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """Bytes of a memtile, and those of results among them.

    Data that arrives more than once is double-buffered; a panel that stays has one buffer.
    """
    k_a, k_b = depths(plan)
    times = 2 if plan.panel or plan.k_piece < plan.k else 1
    a = (1 if plan.panel == "a" else times) * plan.herd_m * k_a * problem.bits // 8
    b = (1 if plan.panel == "b" else times) * plan.herd_n * k_b * problem.bits // 8
    a, b = a + epilogue.l2_bytes(plan, problem, "m"), b + epilogue.l2_bytes(plan, problem, "n")
    c = plan.herd_m * plan.array_n * problem.result_bits // 8
    if plan.cores <= WHOLE:
        buffers = (plan.cores_m * a, plan.cores_n * b, plan.cores_m * c)
        return (max(buffers) if device.columns >= len(buffers) else sum(buffers)), plan.cores_m * c
    if plan.spread:
        small, big, cores = (a, b, plan.cores_n) if plan.cores_m == 1 else (b, a, plan.cores_m)
        rows = cores // plan.spread
        many, few = spread_channels(plan, problem, device)
        again = 1 if plan.paired or halves_cores(plan, problem) else many // plan.spread
        small //= 2 if few > 2 and not is_multiplexed_by_rows(plan, problem) else 1  # which is in two memtiles
        results = rows * plan.herd_m * plan.herd_n * problem.result_bits // 8
        return again * (small + rows * big) + results, results
    split = parts_of_b(plan, device) * (2 if plan.paired else 1)
    rows = -(-plan.cores_m // device.columns)
    return rows * (a + c) + -(-split // device.columns) * b * plan.cores_n // split, rows * c


def crowds(plan: GemmPlan, problem: Problem, device: Device, large: Problem | None = None) -> bool:
    """Whether the epilogue operands take so many buffer descriptors that no plan has short enough pieces and steps along k.

    This does not depend on the pieces and steps of `plan`; `large` says which operands take room in L2.
    """
    if plan.spread:  # whose buffers depend on the number of pieces
        return False
    steps, pieces = epilogue.most(plan, problem, device, *_streams(plan, device))
    if not (steps and pieces):
        return True
    k_step = max(plan.k_step, up(ceil(plan.k / steps), plan.k_step))
    k_piece = up(max(SHORTEST, ceil(plan.k / pieces)), plan.k_step)
    shortest = plan.varied(k_step=k_step, k_piece=k_piece if 2 * k_piece <= plan.k else plan.k)
    counted = large or problem
    return bool(l2(shortest, counted, device)) or (not plan.multiplexed and bool(l1(shortest, counted, device)))


def max_readings(device: Device, streams: int = 1) -> int:
    """How often the given number of streams can read a panel before it is loaded again, by the range of a lock."""
    return arch_of(device).max_lock_value // streams


def depths(plan: GemmPlan) -> tuple[int, int]:
    """Elements along k of the buffers of A and B in L2."""
    return plan.k if plan.panel == "a" else plan.k_piece, plan.k if plan.panel == "b" else plan.k_piece


def parts_of_b(plan: GemmPlan, device: Device) -> int:
    """Parts into which air-split-l2-memref cuts B's L2 buffer: one for each column of cores if the shims have channels.

    A part that goes to a pair of memtiles takes two channels.
    """
    free = device.columns * device.tiles["shim_noc"].channels[1] - plan.cores_m
    return divisor(plan.cores_n, free // 2 if plan.paired else free) or 1


def halves_cores(plan: GemmPlan, problem: Problem) -> bool:
    """Whether each of a column's two channels feeds half of its cores with the large operand, in contiguous runs along k.

    Only for plans whose cores lie along one dimension. Otherwise each channel feeds all cores of the column, with alternating
    pieces.
    """
    return problem.transposed_b if plan.cores_m == 1 else not problem.transposed_a


def spread_channels(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """Shim channels of the large operand of such a plan, and of the small one.

    Each column has one, or two if one is slower than memory (`air-alternate-l2-channels`). With two, the small operand is
    multiplexed: in parts of a piece, or every second piece, on each of the first two channels, or of four if no run gets
    shorter (`air-split-multiplexed-transfers`).
    """
    arch, pieces = arch_of(device), plan.k // plan.k_piece
    halves, by_rows = halves_cores(plan, problem), is_multiplexed_by_rows(plan, problem)
    if plan.paired:
        multiplexed = 2 if halves_array(plan.spread) else MULTIPLEXED_PARTS if by_rows else 1
        return pair_channels(plan.spread) * plan.spread // 2, multiplexed
    small, large = plan.on_tile + 8 * epilogue.slice_bytes(plan, problem) / (plan.k_step * problem.bits), plan.walked_array
    slower = plan.spread * arch.channel_bytes < arch.memory_bytes
    if not slower or small * plan.spread > large or (pieces == 1 if halves else pieces % 2):
        return plan.spread, 1
    if not halves:
        return 2 * plan.spread, 2
    if by_rows and plan.spread > 1:
        return 2 * plan.spread, MULTIPLEXED_PARTS
    most = MULTIPLEXED_PARTS if _falls_apart(plan, problem) and pieces % 2 == 0 and plan.spread > 1 else 2
    steps = plan.k_piece // plan.micro[2]
    if problem.epilogue and _slices_weigh(plan, problem):
        return 2 * plan.spread, 1
    if problem.epilogue and plan.k_step < plan.k_piece:  # step by step, with slices of others
        steps = plan.k_piece // plan.k_step
    return 2 * plan.spread, next(n for n in (most, most // 2, 1) if steps % n == 0)


def is_multiplexed_by_rows(plan: GemmPlan, problem: Problem) -> bool:
    """Whether the small operand of such a plan is multiplexed in parts of its rows, all into the same buffer in L2.

    This is so if parts along k would shorten runs, and if the large operand goes to pairs of memtiles.
    """
    if plan.k // plan.k_piece % 2 or (plan.paired and halves_array(plan.spread)):
        return False
    if not plan.paired and plan.k_piece // plan.k_step < STEPS_APART:
        return False
    if problem.epilogue and (plan.paired or _slices_weigh(plan, problem)):
        return False
    if _falls_apart(plan, problem):
        return plan.paired and plan.k_piece % MULTIPLEXED_PARTS == 0
    return min(plan.array_m, plan.array_n) % MULTIPLEXED_PARTS == 0


def _slices_weigh(plan: GemmPlan, problem: Problem) -> bool:
    """Whether slices of other operands are so large, compared with the small operand, that it is not divided."""
    return 2 * epilogue.slice_bytes(plan, problem) >= plan.on_tile * plan.k_step * problem.bits // 8


def _falls_apart(plan: GemmPlan, problem: Problem) -> bool:
    """Whether rows of the small operand run across k, so that parts along k have runs as long as the whole."""
    return problem.transposed_a if plan.cores_m == 1 else not problem.transposed_b


def channels(plan: GemmPlan, device: Device) -> str | None:
    """DMA channels of shims and memtiles. Each part of an L2 buffer has one, and C has one for each core."""
    if plan.cores <= WHOLE or plan.spread:
        return None
    have, parts = device.columns * device.tiles["shim_noc"].channels[1], parts_of_b(plan, device)
    split = parts * (2 if plan.paired else 1)
    if plan.cores_m + split > have:
        return f"needs {plan.cores_m + split} shim channels from external memory (MM2S), {device.columns} columns have {have}"
    into, out = device.tiles["mem"].channels
    rows, columns = -(-plan.cores_m // device.columns), -(-split // device.columns)
    if (need := rows * (1 + plan.cores_n) + columns) > into:
        return f"needs {need} channels into a memtile (S2MM), which has {into}"
    if (need := 2 * rows + columns * (plan.cores_n // parts)) > out:
        return f"needs {need} channels out of a memtile (MM2S), which has {out}"
    return None


def rings(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """Buffer descriptors of double buffers: two if the number of transfers is even, otherwise one for each."""
    steps, pieces = plan.k // plan.k_step, plan.k // plan.k_piece
    if pieces == 1:
        pieces = plan.tiles
    streams = _readers(plan, device)
    if plan.tiles * streams > (most := max_readings(device)):
        return f"keeps a panel for {plan.tiles} tiles of {streams} streams, and a lock counts to {most}"
    if plan.panel and plan.cores == 1:
        return "keeps a panel for a single core, whose loop over cores folds away"
    if streams > 1 and not plan.paired:
        return f"keeps a panel that {streams} streams read, and its locks count the readings of one"
    core = device.tiles["core"].bds
    need = 2 * epilogue.ring(steps) + 1 if steps > 1 else 3 * epilogue.ring(plan.tiles)
    if need > core:
        what = f"{steps} steps along k" if steps > 1 else f"{plan.tiles} tiles one after another"
        return f"makes {what}, an odd number, which take {need} buffer descriptors of a core; it has {core}"
    half, ring = epilogue.beside_result(device), epilogue.ring(pieces)
    if plan.paired and not plan.spread:  # else there are as many as four parts of two pieces ask for
        read = plan.cores_n // parts_of_b(plan, device)
        if (need := fuller_half(plan.panel, read, ring, PANEL_BDS)) > half:
            return f"brings B to pairs of memtiles, half of whose channels need {need} buffer descriptors; {half} are free"
    elif plan.spread:  # of one parity: two streams of the large operand, that of the small one, and what brings them
        many, few = spread_channels(plan, problem, device)
        read = 1 if is_multiplexed_by_rows(plan, problem) else few
        if (need := (4 + read if many > plan.spread else 4) * ring) > half and not problem.epilogue:
            return f"makes {pieces} pieces along k in L2, for {need} buffer descriptors of a memtile; {half} are free"
    elif (need := PANEL_BDS * bool(plan.panel) + (1 if plan.panel else 2) * ring) > half:
        return (
            f"makes {pieces} pieces along k in L2, an odd number, for {need} buffer descriptors of a memtile; {half} are free"
        )
    return None


def _readers(plan: GemmPlan, device: Device) -> int:
    """Streams that read an L2 buffer of the panel; 1 without a panel."""
    rows, columns = _streams(plan, device)
    return {"": 1, "a": rows, "b": columns}[plan.panel]


def _streams(plan: GemmPlan, device: Device) -> tuple[int, int]:
    """Streams that read an L2 buffer of A, and one of B."""
    return (plan.cores_m, plan.cores_n) if plan.cores <= WHOLE else (1, plan.cores_n // parts_of_b(plan, device))


def descriptors(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """Wraps, steps and lengths of the buffer descriptors that pack the operands and unpack the result, in 32-bit words."""
    mem, core = device.tiles["mem"].bd, device.tiles["core"].bd
    assert mem is not None and core is not None
    (_, n, k), bits = plan.micro, problem.bits
    k_a, k_b = depths(plan)
    rows, columns = (k_a, plan.herd_m) if problem.transposed_a else (plan.herd_m, k_a)
    if not (_walks(k_a // k, problem.transposed_a) and _walks(k_b // k, not problem.transposed_b)):
        return f"walks {max(k_a, k_b) // k:,} micro-tiles along k in L2, which no dimension of a buffer descriptor counts"
    fields = [
        ("blocks of the result in a row", plan.herd_n // n, core.max_wraps[1], "core's wrap"),
        (
            "words from block to block of the result",
            plan.herd_m * n * problem.accumulator_bits // 32,
            core.max_step,
            "core's step",
        ),
        ("words of the result", plan.herd_m * plan.herd_n * problem.result_bits // 32, core.max_words, "core's length"),
        (
            "words of an operand's step",
            max(plan.herd_m, plan.herd_n) * plan.k_step * bits // 32,
            core.max_words,
            "core's length",
        ),
        ("rows of operand A in L2", rows, mem.max_wraps[1], "memtile's wrap"),
        ("words of a block of rows of A in L2", columns * k * bits // 32, mem.max_step, "memtile's step"),
        ("words of A in L2", plan.herd_m * k_a * bits // 32, mem.max_words, "memtile's length"),
        ("words of B in L2", plan.herd_n * k_b * bits // 32, mem.max_words, "memtile's length"),
    ]
    for what, value, allowed, field in fields:
        if value > allowed:
            return f"makes {value:,} {what}, more than the {field} field holds ({allowed:,})"
    return None


def _walks(blocks: int, turned: bool) -> bool:
    """Whether a buffer descriptor can count micro-tiles along k: in one dimension, or in two if the matrix is stored along k
    and leaves two free.
    """
    return blocks <= MAX_SIZE or (not turned and blocks // divisor(blocks, MAX_SIZE) <= MAX_SIZE)
