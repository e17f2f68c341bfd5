"""The cost of attention tiles: bytes of a core's memory, and cycles."""

from __future__ import annotations

from typing import Any

from allo_air.approximations import CYCLES
from allo_air.arch import arch_of, core_of
from allo_air.arch.core import F32_PART_PRODUCTS, F32_PARTS, F32_SPLIT_CYCLES, PART_BITS, multiplied
from allo_air.core.walking import enclosing
from allo_air.device import Device
from allo_air.passes._analysis import blocking
from allo_air.passes._analysis.blocking import Nest, Read
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes.map._attention import Attention
from allo_air.passes.map._attention_masks import Condition
from allo_air.passes.map._attention_plan import AttentionPlan

LANES, EXPONENTIAL = 16, 64
"""Lanes of the cores' vectors, and the approximate number of instructions of an exponential of a vector."""
PRODUCT = {"f32": 20, "bf16": 12}
"""Approximate number of instructions for a product of a vector of `LANES` and its addition to a sum; f32 is emulated by nine
bf16 products.
"""
POWER, F32_POWER, SCORE = 8, 250, 12
"""Approximate numbers of instructions. `POWER`: for `LANES` powers with products in micro-tiles, including the comparisons and
moves of their scores. `F32_POWER`: cycles of such powers in f32, in a loop that is not unrolled. `SCORE`: for `LANES` scores
that are computed element by element.
"""
HIDDEN, NEAR, ABOVE, SHIFTED, REDONE, MOVED = 12, 2, 7, 21, 18, 190
"""Cycles for `LANES` numbers in the loops that compute a block again, as the simulator counts their code. For scores: to hide
them by conditions, to compare them with their references, to find the greatest, to shift them, and their powers. For the lanes
of queries: to move the references (`MOVED`).
"""
RATIO, RESULT = {"f32": 24, "bf16": 48}, 3
"""Cycles at the end: for `LANES` products with reciprocals, by the type of the queries, and for each result that is stored in
rows.
"""
HIDE, CELL, LAY = 6, 40, 2
"""Instructions that masks add to `LANES` scores (`HIDE`), instructions to compute `LANES` numbers of a mask (`CELL`), and
cycles to move one of these into the lanes of scores (`LAY`).
"""
DIVISION = CYCLES["arith.divf"][0]
"""Cycles of the reciprocals of `LANES` sums."""
PADDING = 0.6
"""Cycles per byte of operands or results in the kernels that pad tensors."""
PART, BLOCK = 200, 150
"""Cycles that loops and synchronization add to a part of the queries in a step, and to the step."""
STACK = 2048
"""Bytes of L1 for the stack of a core and small buffers."""


def bits(kind: Any) -> int:
    """Bits of an element in memory."""
    return int(max(8, kind.width))


def round_up(extent: int, unit: int) -> int:
    """`extent` rounded up to a multiple of `unit`."""
    return -(-extent // unit) * unit


def l1_bytes(group: Attention, plan: AttentionPlan) -> int:
    """Buffers of a core: queries, twice a chunk of them, twice the keys and values of a step, scores, sums."""
    d, v = group.extent(group.d), group.extent(group.v)
    element = bits(group.element) // 8
    queries = (plan.m + 2 * plan.chunk) * d * element
    steps = 2 * plan.keys * (d + v) * element
    masks = 0
    for mask in group.masks:
        axes = {a for index in mask.data[1] for a, _ in index[0]}
        size = bits(mask.type) // 8
        if group.q in axes:
            masks += (plan.m + 2 * plan.chunk) * size * (plan.padded[1] if group.k in axes else 1)
        else:
            masks += 2 * plan.keys * size
    kind = bits(group.result.type.element_type) // 8
    if plan.micro is None:
        part = plan.queries_per_part
        return queries + steps + masks + 4 * plan.m * v + kind * plan.m * v + 4 * part * plan.keys + 8 * plan.m + 8 * part
    out = 0 if kind == 4 else kind * plan.m * v
    rows, deep, columns = plan.micro
    lanes = 12 * rows * (plan.m + plan.queries_per_part) + 4 * plan.queries_per_part + 2 * rows * deep
    result = group.form(plan.padded[1])
    if result is not None:
        lanes += 4 * len({(c.query, c.key) for c in result.conditions}) * (plan.queries_per_part * rows + plan.keys * columns)
        for _, (by_query, by_key) in group.cells(result):
            count = (plan.queries_per_part if by_query else 1) * (plan.keys if by_key else 1)
            lanes += 4 * count * (2 if by_query and by_key else 1 + max(rows, columns))
    powers = (4 + element) * plan.queries_per_part * plan.keys
    return queries + steps + masks + 4 * plan.m * v + out + powers + lanes + F32_PARTS * PART_BITS // 8 * split(group, plan)


def is_by_parts(group: Attention) -> bool:
    """Whether cores split f32 numbers into bf16 parts for MAC instructions."""
    return multiplied(str(group.element)) != str(group.element)


def split(group: Attention, plan: AttentionPlan) -> int:
    """Numbers that are split into parts in one step: all queries of a core, keys, values, powers, and ones."""
    if not is_by_parts(group) or plan.micro is None:
        return 0
    d, v = group.extent(group.d), group.extent(group.v)
    rows, deep, _ = plan.micro
    return plan.m * d + plan.keys * (d + v) + plan.queries_per_part * plan.keys + rows * deep


def cycles(group: Attention, plan: AttentionPlan, device: Device) -> float:
    """Estimated cycles of all launches: for each step, the computation of a core or its transfers, whichever takes longer."""
    d, v = group.extent(group.d), group.extent(group.v)
    batches = 1
    for number in group.batch:
        batches *= group.extents[number]
    words = arch_of(device).stream_bytes
    element = bits(group.element) // 8
    steps = plan.padded[1] // plan.keys
    compute = _step_cycles(group, plan, device) + PART
    seen = _visible_steps(group, plan)
    again = _again(group, plan, seen)
    moved = plan.keys * (d + v) * element / words
    # queries and the first block of keys arrive before a core computes, and results leave after it
    once = plan.rows * plan.m * (d + 2 * v) * element / words + moved + _end(group, plan)
    launches = sum(
        max(parts * compute + rare, steps * moved) + steps * BLOCK + once for parts, rare in zip(seen, again, strict=True)
    )
    function = enclosing(group.result.owner, "func.func")
    if function is not None and KERNEL not in function.attributes:
        return batches * launches  # the host pads
    padding_sizes = [n if n > group.extent(a) else 0 for n, a in zip(plan.padded, (group.q, group.k), strict=True)]
    padding = PADDING * batches * element * (padding_sizes[0] * (d + v) + padding_sizes[1] * (d + v))
    return batches * launches + padding


def _visible_steps(group: Attention, plan: AttentionPlan) -> list[int]:
    """For each launch the number of steps, of all parts together, in which a core's queries see a key of the block."""
    steps = plan.padded[1] // plan.keys
    masks = group.form(plan.padded[1])
    skips = [] if masks is None or group.q is None else masks.skips
    if not any(c.query for c in skips):
        return [_blocks(skips, (0, 0), plan.keys, steps) * plan.parts] * plan.launches
    wide = plan.queries_per_launch // plan.parts
    firsts = [[launch * plan.queries_per_launch + part * wide for part in range(plan.parts)] for launch in range(plan.launches)]
    return [sum(_blocks(skips, (first, first + wide - 1), plan.keys, steps) for first in parts) for parts in firsts]


def _again(group: Attention, plan: AttentionPlan, seen: list[int]) -> list[float]:
    """For each launch the cycles in which a core computes blocks again: the first one of each part, where references move, and
    those of which a query does not see each key. `seen` are the numbers of visible blocks.
    """
    masks = group.form(plan.padded[1])
    if plan.micro is None:
        return [0.0] * len(seen)
    scores, lanes = plan.queries_per_part * plan.keys / LANES, plan.queries_per_part * plan.micro[0] / LANES
    shifted = masks is not None and masks.only_hides and not is_by_parts(group)
    powers = F32_POWER if is_by_parts(group) else REDONE
    begin = plan.parts * (scores * (ABOVE + powers + (SHIFTED + NEAR if shifted else 0)) + lanes * MOVED)
    if not shifted or masks is None or not masks.conditions:
        return [begin] * len(seen)
    whole = _whole_steps(masks.conditions, plan)
    return [begin + (number - w) * scores * (HIDDEN + NEAR + REDONE) for number, w in zip(seen, whole, strict=True)]


def _whole_steps(conditions: list[Condition], plan: AttentionPlan) -> list[int]:
    """For each launch the number of steps, of all parts together, in which the queries of all cores see the whole block. If
    those of one core do not, all cores wait for it: they receive the next block together.
    """
    wide = plan.queries_per_launch // plan.parts
    steps = plan.padded[1] // plan.keys
    results = list[int]()
    for launch in range(plan.launches):
        lasts = (launch * plan.queries_per_launch + (n + 1) * wide - 1 for n in range(plan.parts))
        results.append(sum(_whole_blocks(conditions, (last - wide + 1, last), plan.keys, steps) for last in lasts))
    return results


def _whole_blocks(conditions: list[Condition], queries: tuple[int, int], keys: int, steps: int) -> int:
    """The number of blocks of `keys` keys of which each query sees each."""
    first, end = 0, steps
    for c in conditions:
        rest = min(c.query * n for n in queries) + c.plus
        if c.key < 0:
            end = min(end, (rest // -c.key + 1) // keys)
        elif c.key > 0:
            first = max(first, -(-max(0, -(rest // c.key)) // keys))
        elif rest < 0:
            return 0
    return max(0, end - first)


def _end(group: Attention, plan: AttentionPlan) -> float:
    """Cycles in which a core divides its sums of products, and stores results of other types than f32 in rows."""
    if plan.micro is None:
        return 0.0
    results = plan.m * group.extent(group.v)
    stored = 0 if str(group.result.type.element_type) == "f32" else results * RESULT
    return results * RATIO[str(group.element)] / LANES + stored + plan.m * plan.micro[0] * DIVISION / LANES


def _blocks(conditions: list[Condition], queries: tuple[int, int], keys: int, steps: int) -> int:
    """The number of blocks of `keys` keys of which a query can see at least one."""
    first, end = 0, steps
    for c in conditions:
        rest = max(c.query * n for n in queries) + c.plus
        if c.key < 0:
            end = min(end, rest // -c.key // keys + 1)
        elif c.key > 0:
            first = max(first, -(-rest // -c.key) // keys if rest < 0 else 0)
        elif rest < 0:
            return 0
    return max(0, end - first)


def _step_cycles(group: Attention, plan: AttentionPlan, device: Device) -> float:
    """Cycles of one block of keys and one part of the queries."""
    d, v = group.extent(group.d), group.extent(group.v)
    if plan.micro is not None:
        products, power = _products(group, plan, device), F32_POWER if is_by_parts(group) else POWER
        powers = plan.queries_per_part * plan.keys * power / LANES
        return products + powers + _masked(group, plan) + F32_SPLIT_CYCLES * split(group, plan)
    product = PRODUCT[str(group.element)] / LANES
    powers = EXPONENTIAL / LANES
    part = plan.queries_per_part
    return part * round_up(plan.keys, LANES) * ((d + v) * product + powers) + part * (v * product + 4 * EXPONENTIAL)


def _products(group: Attention, plan: AttentionPlan, device: Device) -> float:
    """Cycles of the scores, of the products of powers with values, and of the sums of powers, in micro-tiles (M x K x N)."""
    assert plan.micro is not None
    (rows, deep, columns), core = plan.micro, core_of(device.arch)
    contraction = core.contraction(multiplied(str(group.element)), plan.micro)
    assert contraction is not None
    by_parts = is_by_parts(group)
    instructions = contraction.instructions * (F32_PART_PRODUCTS if by_parts else 1)
    element = F32_PARTS * PART_BITS if by_parts else bits(group.element)
    reads = []
    for lanes, by in ((rows * deep, (True, False)), (deep * columns, (False, True))):
        vectors, moves = core.blocks_of(lanes, by[1]) if contraction.blocks else (0, 0)
        reads.append(Read(lanes * element, by, moves, vectors, contraction.blocks))
    wide, across = plan.queries_per_part // columns, plan.keys // deep
    nests = (
        (plan.keys // rows, group.extent(group.d) // deep),
        (group.extent(group.v) // rows, across),
        (1, across),
    )
    return sum(
        blocking.cycles(Nest((high, wide), tuple(reads), 32 * rows * columns, steps, instructions), instructions, core)
        for high, steps in nests
    )


def _masked(group: Attention, plan: AttentionPlan) -> float:
    """Additional cycles of masks in one step with micro-tiles."""
    scores = plan.queries_per_part * plan.keys
    masks = group.form(plan.padded[1])
    if masks is None:
        return scores * SCORE
    result = scores * HIDE / LANES if masks.terms else 0.0
    if masks.conditions and not masks.terms and is_by_parts(group):
        result += scores * HIDDEN / LANES
    for _, (by_query, by_key) in group.cells(masks):
        count = (plan.queries_per_part if by_query else 1) * (plan.keys if by_key else 1)
        result += count * (CELL / LANES + LAY * (1 if by_query and by_key else max(plan.micro or (1,))))
    return result
