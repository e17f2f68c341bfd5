"""Chooses the tiles of attention: of the tiles that respect the limits, those with the fewest estimated cycles."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import gcd, prod
from typing import Any

from allo_air.arch import core_of, machine_of
from allo_air.arch.core import multiplied
from allo_air.device import DEVICES, Device
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes.map._attention import Attention, axes_of
from allo_air.passes.map._attention_costs import PRODUCT, STACK, bits, cycles, is_by_parts, l1_bytes, round_up
from allo_air.passes.map._attention_plan import AttentionPlan

CHUNK = 16
"""Largest number of rows of queries in one transfer. Each core of a column receives the rows of all its cores and keeps its
own. If masks share the channel, a transfer has the rows of one core's tile, which needs the fewest buffer descriptors.
"""


WAIT = 36_000
"""Cycles that the host waits for a launch: 20 us at 1.8 GHz."""
OTHERS = 16
"""Largest number of buffer descriptors of a memtile for keys, values and results. In addition, each chunk of queries takes one.
"""
PARTS = (1, 2, 4, 8)
"""Parts of a core's queries."""

QUERIES, KEYS = (4, 8, 16), (8, 16)
"""Units of the queries of a core and of the keys of a step beside single ones: micro-tiles, and lanes of a vector."""

BLOCK_BDS = 5
"""Buffer descriptors of a core for its result and for the operands of a block of keys: two for each of two channels."""


def best_plans(
    group: Attention, device: Device, m: int = 0, keys: int = 0, count: int | None = None, bfp16: bool = False
) -> list[tuple[AttentionPlan, str]]:
    """The `count` plans with the fewest estimated cycles (all plans by default), the best first, each with its reasons.

    The list is empty if no plan fits the cores, the memtiles or the DMAs' words. `m` (queries per core) and `keys` (keys per
    step) are used if set. With `bfp16`, bf16 may be multiplied in block floating point.
    """
    results = _cheapest(group, device, count, _candidates(group, device, m, keys, bfp16))
    return [
        (
            plan,
            f"herd {plan.columns}x{plan.rows}, "
            f"{counted(plan.m, 'query')} a core{f' in {plan.parts} parts' * (plan.parts > 1)}, "
            f"{counted(plan.keys, 'key')} a step, L1 {counted(l1_bytes(group, plan), 'byte')}; "
            f"about {_cycles_of_run(group, plan, best, device):.3g} cycles",
        )
        for best, plan in results
    ]


def has_plan(group: Attention, device: Device) -> bool:
    """Whether any plan fits."""
    return is_in_words(group) and any(_fitting(group, plan, device) for plan in _candidates(group, device, 0, 0, False))


def _cheapest(
    group: Attention, device: Device, count: int | None, candidates: Iterable[AttentionPlan]
) -> list[tuple[float, AttentionPlan]]:
    """The `count` cheapest of the `candidates` that fit, with their cycles. Candidates are priced first, since this is faster
    than checking limits.
    """
    results: list[tuple[float, AttentionPlan]] = []
    if not is_in_words(group):
        return results
    for plan in candidates:
        price = priced(group, plan, device)
        if len(results) == count and price >= results[-1][0]:
            continue
        if (fitting := _fitting(group, plan, device)) is not None:
            insort(results, (price, fitting), key=lambda pair: pair[0])
            results = results[:count]
    return results


def priced(group: Attention, plan: AttentionPlan, device: Device) -> float:
    """Estimated cycles, including the time that the host waits for launches if the launches use query numbers, and then starts
    the shim channels again.
    """
    result = cycles(group, plan, device)
    if plan.launches > 1 and group.uses_query_index:
        machine = machine_of(device)
        starts = machine.push * _channels(group, plan) if machine.holds_tasks else 0
        result += prod(group.extents[n] for n in group.batch) * (plan.launches - 1) * (WAIT + starts)
    return result


def _cycles_of_run(group: Attention, plan: AttentionPlan, cycles: float, device: Device) -> float:
    return machine_of(device).run(cycles, _channels(group, plan))


def _channels(group: Attention, plan: AttentionPlan) -> int:
    """The shim channels: they send queries and their masks to each column, and receive its results; all columns share the
    rest.
    """
    of_queries = len(_masks_of_queries(group))
    return plan.columns * (2 + of_queries) + 2 + len(group.masks) - of_queries


def _masks_of_queries(group: Attention) -> list[Any]:
    """The masks that depend on the query."""
    return [m for m in group.masks if any(d == group.q for index in m.data[1] for d, _ in index[0])]


def _candidates(group: Attention, device: Device, m_given: int, keys_given: int, bfp16: bool) -> Iterator[AttentionPlan]:
    queries, keys = group.extent(group.q), group.extent(group.k)
    over, unit = _masks_of_queries(group), _word_unit(group)
    key_units = (unit, *(n for n in KEYS if n % unit == 0))
    for columns in _halves(device.columns):
        for rows in _halves(len(device.core_rows)):
            for m in [m_given] if m_given else _sizes(round_up(queries, columns * rows) // (columns * rows), (1, *QUERIES)):
                for step in [keys_given] if keys_given else _sizes(keys, key_units):
                    # a loop that alternates between two buffers has an even trip count
                    pairs = step if keys <= step else 2 * step
                    padded = round_up(queries, columns * rows * m), round_up(keys, pairs)
                    chunk = m if over else max(c for c in range(1, min(m, CHUNK) + 1) if m % c == 0)
                    base_plan = AttentionPlan(columns, rows, m, step, chunk, padded)
                    yield base_plan
                    yield from _mac_plans(group, base_plan, device, bfp16)


def _fitting(group: Attention, plan: AttentionPlan, device: Device) -> AttentionPlan | None:
    """The plan if it fits, otherwise the same plan with queries in smaller chunks; None if this does not fit either."""
    while not fits_memory(group, plan, device):
        if plan.micro is None or plan.chunk % (2 * plan.micro[2]):
            return None
        plan = replace(plan, chunk=plan.chunk // 2)
    return plan


def _with_query_parts(plan: AttentionPlan, unit: int) -> list[AttentionPlan]:
    """The plan with a core's queries in one part, or in several parts of whole chunks that are multiples of `unit`."""
    attention_plans = []
    for parts in PARTS:
        h = plan.m // parts
        if plan.m % (parts * unit) == 0:
            chunks = [c for c in range(unit, min(h, max(CHUNK, unit)) + 1, unit) if h % c == 0]
            attention_plans.append(
                replace(plan, parts=parts, chunk=plan.chunk if parts == 1 or h % plan.chunk == 0 else max(chunks))
            )
    return attention_plans


def _mac_plans(group: Attention, plan: AttentionPlan, device: Device, bfp16: bool) -> list[AttentionPlan]:
    """The plans that use MAC instructions (with `bfp16`, also those of block floating point); empty if no sizes are whole
    micro-tiles.
    """
    if group.q is None or not isinstance(group.element, ir.FloatType):
        return []
    kind = multiplied(str(group.element))
    results = list[AttentionPlan]()
    for blocks in (True, False) if bfp16 and not is_by_parts(group) else (False,):
        contractions = (c for c in core_of(device.arch).contractions if (c.element, c.blocks) == (kind, blocks))
        contraction = next(contractions, None)
        if contraction is not None:
            results += _plans_of_shape(contraction.shape, group, plan)
    return results


def _plans_of_shape(shape: tuple[int, int, int], group: Attention, plan: AttentionPlan) -> list[AttentionPlan]:
    """The plans with micro-tiles of `shape`."""
    rows, deep, columns = shape
    sizes = (
        (plan.m, columns),
        (plan.keys, rows),
        (plan.keys, deep),
        (group.extent(group.d), deep),
        (group.extent(group.v), rows),
    )
    if any(n % size for n, size in sizes):
        return []
    chunk = plan.chunk if plan.chunk % columns == 0 else max(c for c in range(columns, CHUNK + 1, columns) if plan.m % c == 0)
    return _with_query_parts(replace(plan, micro=shape, chunk=chunk), columns)


def _halves(most: int) -> list[int]:
    return [most >> n for n in range(most.bit_length()) if most >> n]


def _sizes(extent: int, units: tuple[int, ...]) -> list[int]:
    """Sizes to try for `extent`: multiples of each of `units` that divide it in one, two, three ... pieces, at most 128."""
    results = {round_up(round_up(extent, pieces) // pieces, unit) for pieces in range(1, 65) for unit in units}
    return sorted(size for size in results if size <= 128)


def _word_unit(group: Attention) -> int:
    """The unit of the keys of a step: with a multiple of it, parts of all tensors are whole 32-bit words."""
    units = [1]
    for load in (group.key, group.value, *group.masks):
        axes = axes_of(load.data[1], {group.q, group.k, group.d, group.v})
        if axes and axes[-1] == group.k:
            units.append(32 // gcd(32, bits(load.type)))
    return max(units)


def fits_memory(group: Attention, plan: AttentionPlan, device: Device) -> bool:
    """Whether the memory of cores and memtiles, and the granularity of DMAs, allow `plan`."""
    if l1_bytes(group, plan) + STACK > device.tile(0, device.core_rows[0]).memory:
        return False
    if plan.parts > 1 and plan.rows * plan.m // plan.chunk > device.tiles["mem"].bds - OTHERS:
        return False
    if query_key_masks(group) and 2 * (plan.rows * plan.m // plan.chunk + 1) + 1 > device.tiles["core"].bds:
        return False  # chunks of queries and masks come in front of keys and values, over two channels
    if group.masks and plan.rows * plan.m // plan.chunk + BLOCK_BDS > device.tiles["core"].bds:
        return False  # chunks of queries share a channel with a mask's blocks
    if not _has_channels(group, plan, device) or padded_shapes(group, plan) is None or not _result_grows(group, plan):
        return False
    memory = len(device.mem_rows) * plan.columns * device.tile(0, device.mem_rows[0]).memory
    wide = group.extent(group.d) + group.extent(group.v)
    size = plan.queries_per_launch * wide * bits(group.element) // 8 + 4 * plan.keys * wide * bits(group.element) // 8
    size += sum(plan.queries_per_launch * plan.padded[1] * bits(m.type) // 8 for m in query_key_masks(group))
    return 2 * size <= memory


def is_in_words(group: Attention) -> bool:
    """Whether the cores have multiplications for its elements, and DMAs can move its rows in 32-bit words."""
    if str(group.element) not in PRODUCT or any(bits(mask.type) != mask.type.width for mask in group.masks):
        return False
    rows = ((group.query, group.d), (group.key, group.d), (group.value, group.v))
    return all(group.extent(axis) * bits(load.type) % 32 == 0 for load, axis in rows)


def _has_channels(group: Attention, plan: AttentionPlan, device: Device) -> bool:
    """Whether memtiles and shims have enough channels.

    A memtile needs S2MM channels for the results and queries of its column, and one for the data that all cores receive. Shims
    need MM2S channels for all operands.
    """
    gets = device.tile(0, device.mem_rows[0]).channels[0]
    shared = 2 + len([m for m in group.masks if not any(d == group.q for index in m.data[1] for d, _ in index[0])])
    # of the whole device, which may be larger than the columns in use
    streams, shims = 3 + len(group.masks), DEVICES.get(device.name, device).columns
    if plan.padded[1] > plan.keys and streams > shims * device.tiles["shim_noc"].channels[1]:
        return False  # streams that a core receives in several steps cannot share a shim's channel
    return plan.rows + 2 <= gets and plan.columns * (plan.rows + 1) + shared <= plan.columns * gets


def padded_shapes(group: Attention, plan: AttentionPlan) -> dict[ir.Value, list[int]] | None:
    """The shapes of the tensors from outside with padded queries and keys; None if padding inside a tensor would be needed."""
    padded_extents = {a: n for a, n in ((group.q, plan.padded[0]), (group.k, plan.padded[1])) if a is not None}
    shapes: dict[ir.Value, list[int]] = {}
    for load in (group.query, group.key, group.value, *group.masks):
        value, index = load.data
        shape = shapes.setdefault(value, list(value.type.shape))
        axes = axes_of(index, {group.q, group.k, group.d, group.v} - {None}) or []
        for place, axis in enumerate(axes):
            if axis is None or padded_extents.get(axis, 0) in (0, group.extents[axis]):
                continue
            if index[place] != (((axis, 1),), 0) or value.type.shape[place] != group.extents[axis]:
                return None
            shape[place] = max(shape[place], padded_extents[axis])
    return shapes


def _result_grows(group: Attention, plan: AttentionPlan) -> bool:
    """Whether the result can be extended for padded queries: the queries must have a dimension of their own."""
    if plan.padded[0] == group.extent(group.q):
        return True
    return group.q is not None and (((group.q, 1),), 0) in group.out


def query_key_masks(group: Attention) -> list[Any]:
    """The masks that depend on both the query and the key."""
    return [m for m in group.masks if {group.q, group.k} <= {d for index in m.data[1] for d, _ in index[0]}]
