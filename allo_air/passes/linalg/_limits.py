"""The hardware limits on a plan.

Each function `exceeds_...` returns None if the plan respects its limit; otherwise the text of the limit, with the need and the
capacity, as the end of a message that begins with the plan.
"""

from __future__ import annotations

from math import ceil

from allo_air.access.fit import divisor
from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_ELEMENTS, MAX_PATCH, MAX_SIZE, core_room
from allo_air.device import Device
from allo_air.passes._analysis.dma_rings import operand_descriptors, ring_descriptors
from allo_air.passes.linalg._epilogue_l2 import epilogue_l2_bytes
from allo_air.passes.linalg._limits_epilogue import exceeds_multiplexed, exceeds_separate, max_steps_and_pieces
from allo_air.passes.linalg._limits_slices import exceeds_slices
from allo_air.passes.linalg._memtile_pairs import exceeds_pairs, halves_columns, pair_descriptors
from allo_air.passes.linalg._plan import L2_PIECE, GemmPlan, round_up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._shim_channels import (
    MAX_UNSPLIT_CORES,
    halves_cores,
    is_multiplexed_by_rows,
    parts_of_b,
    spread_channels,
)

PANEL_BDS = 16
"""Buffer descriptors of a memtile for the parts of a panel (`air-split-l2-pieces`)."""
MIN_PIECE = L2_PIECE // 8
"""Elements along k of the shortest pieces that are tried, unless k is shorter or a step is longer."""


def exceeds_dma(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The first limit of DMA channels and buffer descriptors that `plan` exceeds."""
    return (
        exceeds_loops(plan, problem)
        or exceeds_channels(plan, device)
        or (exceeds_pairs(plan, problem, device) if plan.paired else None)
        or exceeds_rings(plan, problem, device)
        or exceeds_fields(plan, problem, device)
        or exceeds_epilogue(plan, problem, device)
    )


def exceeds_epilogue(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The channels and buffer descriptors that epilogue operands need."""
    if not problem.epilogue:
        return None
    if plan.spread:
        large, small = spread_channels(plan, problem, device)
        return exceeds_slices(plan, problem, device, large // plan.spread, small if halves_cores(plan, problem) else 0)
    exceeds = exceeds_multiplexed if plan.multiplexed else exceeds_separate
    return exceeds(plan, problem, device, *_l2_streams(plan, device))


def exceeds_loops(plan: GemmPlan, problem: Problem) -> str | None:
    """A product inside loops: each loop needs a dimension of a buffer descriptor, which a launch of one row, column or element
    along k does not leave.
    """
    if problem.looped and 1 in (plan.launch_m, plan.launch_n, plan.k):
        return "has a launch of one row, one column or one element along k, inside of loops over matrices"
    return None


def exceeds_offsets(problem: Problem) -> str | None:
    """The sizes of the host's arrays, which are the same for every plan."""
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


def exceeds_capacity(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The first limit of cores and memories that `plan` exceeds; a plan with longer pieces in L2 exceeds it, too."""
    return exceeds_cores(plan, device) or exceeds_l1(plan, problem, device) or exceeds_l2(plan, problem, device)


def exceeds_cores(plan: GemmPlan, device: Device) -> str | None:
    """The rows and columns of cores that the device has."""
    rows = len(device.core_rows)
    if plan.spread:
        fits = plan.cores == plan.spread * rows and (plan.paired or not halves_columns(plan.spread, device))
        return None if fits else f"spreads {plan.cores} cores over {plan.spread} columns of {rows} cores each"
    if has_cores(device, plan.cores_m, plan.cores_n):
        return None
    return (
        f"needs {plan.cores_m} x {plan.cores_n} cores (cores-m x cores-n); {device.name} has {device.columns} columns of {rows}"
    )


def has_cores(device: Device, cores_m: int, cores_n: int) -> bool:
    """Whether the device has these cores: along its columns and rows, or in one column."""
    rows = len(device.core_rows)
    return (cores_m <= device.columns and cores_n <= rows) or cores_m * cores_n <= rows


def exceeds_l1(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The bytes of a core's memory, without its stack."""
    have = core_room(device)
    need = plan.l1_bytes(problem)
    if need <= have:
        return None
    return f"needs {need:,} bytes of a core's memory (L1), which has {have:,} beside the stack"


def exceeds_l2(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The bytes of a memtile."""
    need, _ = l2_bytes(plan, problem, device)
    have = device.tiles["mem"].memory
    return f"needs {need:,} bytes of a memtile (L2), which has {have:,}" if need > have else None


def l2_bytes(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """Bytes that the fullest memtile holds, and how many of these are results.

    A core needs herd_m x k_a elements of A, herd_n x k_b of B, and herd_m x herd_n of the result. A panel has one buffer. Other
    operands have two if they arrive in several pieces.
    """
    k_a, k_b = l2_depths(plan)
    times = 2 if plan.panel or plan.k_piece < plan.k else 1
    a = (1 if plan.panel == "a" else times) * plan.herd_m * k_a * problem.bits // 8
    b = (1 if plan.panel == "b" else times) * plan.herd_n * k_b * problem.bits // 8
    a, b = a + epilogue_l2_bytes(plan, problem, "a"), b + epilogue_l2_bytes(plan, problem, "b")
    c = plan.herd_m * plan.array_n * problem.result_bits // 8
    if plan.cores <= MAX_UNSPLIT_CORES:
        buffers = (plan.cores_m * a, plan.cores_n * b, plan.cores_m * c)
        return (max(buffers) if device.columns >= len(buffers) else sum(buffers)), plan.cores_m * c
    if plan.spread:
        small, large = (a, b) if plan.cores_m == 1 else (b, a)
        rows = plan.cores // plan.spread
        on_large, on_small = spread_channels(plan, problem, device)
        alternating = 1 if plan.paired or halves_cores(plan, problem) else on_large // plan.spread
        if on_small > 2 and not is_multiplexed_by_rows(plan, problem):  # two memtiles hold a half each
            small //= 2
        results = rows * plan.herd_m * plan.herd_n * problem.result_bits // 8
        return alternating * (small + rows * large) + results, results
    split = parts_of_b(plan, device) * (2 if plan.paired else 1)
    rows = -(-plan.cores_m // device.columns)
    return rows * (a + c) + -(-split // device.columns) * b * plan.cores_n // split, rows * c


def lacks_descriptors(plan: GemmPlan, problem: Problem, device: Device, large: Problem | None = None) -> bool:
    """Whether the epilogue operands leave too few buffer descriptors for the steps and pieces along k.

    Few descriptors force long steps and pieces, which may not fit into L1 and L2. The answer is the same for all steps and
    pieces of `plan`. `large` is the problem with only those operands whose size does not depend on steps or pieces.
    """
    if plan.spread:  # the size of slices depends on the number of pieces
        return False
    steps, pieces = max_steps_and_pieces(plan, problem, device, *_l2_streams(plan, device))
    if not (steps and pieces):
        return True
    k_step = max(plan.k_step, round_up(ceil(plan.k / steps), plan.k_step))
    k_piece = round_up(max(MIN_PIECE, ceil(plan.k / pieces)), plan.k_step)
    shortest = plan.varied(k_step=k_step, k_piece=k_piece if 2 * k_piece <= plan.k else plan.k)
    counted = large or problem
    return bool(exceeds_l2(shortest, counted, device)) or (not plan.multiplexed and bool(exceeds_l1(shortest, counted, device)))


def max_panel_reads(device: Device, streams: int = 1) -> int:
    """How often each of `streams` streams can read a panel before it is loaded again: a lock counts all reads."""
    return arch_of(device).max_lock_value // streams


def l2_depths(plan: GemmPlan) -> tuple[int, int]:
    """Elements along k of the buffers of A and of B in L2: a panel holds all of k, other buffers a piece."""
    return plan.k if plan.panel == "a" else plan.k_piece, plan.k if plan.panel == "b" else plan.k_piece


def exceeds_channels(plan: GemmPlan, device: Device) -> str | None:
    """DMA channels of shims and memtiles.

    Each row of cores has a memtile, which receives its A and the results of its cores, and sends A and the result. Each part of
    B has one channel in, and one out for each core column that reads it.
    """
    if plan.cores <= MAX_UNSPLIT_CORES or plan.spread:
        return None
    have, parts = device.columns * device.tiles["shim_noc"].channels[1], parts_of_b(plan, device)
    split = parts * (2 if plan.paired else 1)
    if plan.cores_m + split > have:
        return f"needs {plan.cores_m + split} shim channels from external memory (MM2S), {device.columns} columns have {have}"
    inputs, out = device.tiles["mem"].channels
    rows, columns = -(-plan.cores_m // device.columns), -(-split // device.columns)
    if (need := rows * (1 + plan.cores_n) + columns) > inputs:
        return f"needs {need} channels into a memtile (S2MM), which has {inputs}"
    if (need := 2 * rows + columns * (plan.cores_n // parts)) > out:
        return f"needs {need} channels out of a memtile (MM2S), which has {out}"
    return None


def exceeds_rings(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """Buffer descriptors, and reads that a lock counts.

    A channel that alternates between two buffers repeats two descriptors if the number of its transfers is even. Otherwise each
    transfer needs a descriptor.
    """
    steps, pieces = plan.k // plan.k_step, plan.k // plan.k_piece
    if pieces == 1:
        pieces = plan.tiles
    streams = _panel_streams(plan, device)
    if plan.tiles * streams > (most := max_panel_reads(device)):
        return (
            f"keeps a panel in L2 for {plan.tiles} tiles that {streams} channels read, more reads than a lock counts ({most})"
        )
    if plan.panel and plan.cores == 1:
        return "keeps a panel in L2 for a single core; panels need at least two cores"
    if streams > 1 and not plan.paired:
        return f"keeps a panel in L2 that {streams} channels read; its locks count the reads of one channel"
    core = device.tiles["core"].bds
    if (need := plan.plain_descriptors) > core:
        cause = f"{steps} steps along k" if steps > 1 else f"{plan.tiles} tiles one after another"
        return f"makes {cause}, an odd number, which take {need} buffer descriptors of a core; it has {core}"
    half, ring = operand_descriptors(device), ring_descriptors(pieces)
    if plan.paired and not plan.spread:
        read = plan.cores_n // parts_of_b(plan, device)
        if (need := pair_descriptors(plan.panel, read, ring, PANEL_BDS)) > half:
            return (
                f"brings B to pairs of memtiles, for {need} buffer descriptors of half of a memtile's channels; {half} are free"
            )
    elif plan.spread:  # channels of one parity: two in and two out, and those of the small operand if it is multiplexed
        on_large, on_small = spread_channels(plan, problem, device)
        multiplexed = 1 if is_multiplexed_by_rows(plan, problem) else on_small
        if (need := (4 + multiplexed if on_large > plan.spread else 4) * ring) > half and not problem.epilogue:
            return f"makes {pieces} pieces along k in L2, for {need} buffer descriptors of a memtile; {half} are free"
    elif (need := PANEL_BDS * bool(plan.panel) + (1 if plan.panel else 2) * ring) > half:
        return (
            f"makes {pieces} pieces along k in L2, an odd number, for {need} buffer descriptors of a memtile; {half} are free"
        )
    return None


def _panel_streams(plan: GemmPlan, device: Device) -> int:
    """The number of streams that read an L2 buffer of the panel; 1 without a panel."""
    rows, columns = _l2_streams(plan, device)
    return {"": 1, "a": rows, "b": columns}[plan.panel]


def _l2_streams(plan: GemmPlan, device: Device) -> tuple[int, int]:
    """The numbers of streams that read an L2 buffer of A, and one of B."""
    return (plan.cores_m, plan.cores_n) if plan.cores <= MAX_UNSPLIT_CORES else (1, plan.cores_n // parts_of_b(plan, device))


def exceeds_fields(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The fields of buffer descriptors that pack operands into micro-tiles and unpack the result.

    Steps and lengths are in 32-bit words, wraps are numbers of micro-tiles or rows.
    """
    mem, core = device.tiles["mem"].bd, device.tiles["core"].bd
    assert mem is not None and core is not None
    (_, n, k), bits = plan.micro, problem.bits
    k_a, k_b = l2_depths(plan)
    rows, columns = (k_a, plan.herd_m) if problem.transposed_a else (plan.herd_m, k_a)
    if not (_counts_blocks(k_a // k, not problem.transposed_a) and _counts_blocks(k_b // k, problem.transposed_b)):
        return f"has {max(k_a, k_b) // k:,} micro-tiles along k in L2; a buffer descriptor's dimension counts to {MAX_SIZE:,}"
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
    for quantity, value, allowed, field in fields:
        if value > allowed:
            return f"makes {value:,} {quantity}, more than the {field} field holds ({allowed:,})"
    return None


def _counts_blocks(blocks: int, rows_along_k: bool) -> bool:
    """Whether the wraps of a buffer descriptor can count `blocks` micro-tiles along k.

    One dimension counts up to `MAX_SIZE`. A matrix whose rows run along k leaves a second dimension free.
    """
    return blocks <= MAX_SIZE or (rows_along_k and blocks // divisor(blocks, MAX_SIZE) <= MAX_SIZE)
