"""How attention is spread over the cores: the tiles, their attribute, and the choice among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from typing import Any

from allo_air.arch import arch_of
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes._analysis.attention import Attention, axes_of

MARK = "keys"
"""The entry that tells a plan of attention from others."""
CHUNK = 16
"""Rows that come to a core at a time, at most: each core of a column gets those of all, and keeps its own. With masks on the
same channel they come a core's tile at a time, which takes the fewest buffer descriptors."""
LANES, EXPONENTIAL = 16, 64
"""Lanes of the cores' vectors, and about how many instructions their exponential takes."""
PRODUCT = {"f32": 20, "bf16": 12}
"""About how many instructions a product of so many lanes and its sum take; those of f32 are emulated with nine of bf16."""
STACK = 2048
"""Bytes of L1 for the stack of a core, and for what is small."""


@dataclass(frozen=True)
class AttentionPlan:
    """Cores in `columns` x `rows`, `m` queries a core, `keys` keys a step; `padded` queries and keys.

    The queries come to the cores of a column `chunk` rows at a time.
    """

    columns: int
    rows: int
    m: int
    keys: int
    chunk: int
    padded: tuple[int, int]

    @property
    def array(self) -> int:
        """Queries that one launch iteration computes for."""
        return self.columns * self.rows * self.m

    @property
    def launches(self) -> int:
        """Launch iterations of one batch."""
        return self.padded[0] // self.array

    def attribute(self, why: str) -> ir.DictAttr:
        """The plan as a dictionary attribute; `why` is for people."""
        i64 = ir.IntegerType.get_signless(64)
        numbers = {"columns": self.columns, "rows": self.rows, "m": self.m, MARK: self.keys, "chunk": self.chunk}
        return ir.DictAttr.get({
            **{name: ir.IntegerAttr.get(i64, number) for name, number in numbers.items()},
            "padded": ir.DenseI64ArrayAttr.get(list(self.padded)),
            "piece": ir.IntegerAttr.get(i64, self.keys),
            "chosen": ir.StringAttr.get(why),
        })  # fmt: skip


def plan_of(attribute: Any) -> AttentionPlan | None:
    """The plan that `attribute` holds; None where that is another one."""
    if not isinstance(attribute, ir.DictAttr) or MARK not in attribute:
        return None
    columns, rows, m, keys, chunk = (attribute[name].value for name in ("columns", "rows", "m", MARK, "chunk"))
    queries, padded = attribute["padded"]
    return AttentionPlan(columns, rows, m, keys, chunk, (queries, padded))


def choose(group: Attention, device: Device, m: int = 0, keys: int = 0) -> tuple[AttentionPlan, str] | None:
    """The plan of least estimated cycles, and its reasons; None where none fits the cores, the memtiles or the words of DMAs.

    `m` queries a core and `keys` keys a step are taken if they are given.
    """
    found = [(cycles(group, plan, device), plan) for plan in _candidates(group, device, m, keys)]
    if not found:
        return None
    best, plan = min(found, key=lambda pair: pair[0])
    return plan, (
        f"herd {plan.columns}x{plan.rows}, {plan.m} queries a core, {plan.keys} keys a step, "
        f"L1 {l1_bytes(group, plan)} bytes; about {best:.3g} cycles"
    )


def _candidates(group: Attention, device: Device, m_given: int, keys_given: int) -> Iterator[AttentionPlan]:
    queries, keys = group.extent(group.q), group.extent(group.k)
    over = [m for m in group.masks if any(d == group.q for index in m.data[1] for d, _ in index[0])]
    for columns in _halves(device.columns):
        for rows in _halves(len(device.core_rows)):
            for m in [m_given] if m_given else _sizes(_up(queries, columns * rows) // (columns * rows), 1):
                for step in [keys_given] if keys_given else _sizes(keys, _word_unit(group)):
                    padded = _up(queries, columns * rows * m), _up(keys, step)
                    chunk = m if over else max(c for c in range(1, min(m, CHUNK) + 1) if m % c == 0)
                    plan = AttentionPlan(columns, rows, m, step, chunk, padded)
                    if fits(group, plan, device):
                        yield plan


def _halves(most: int) -> list[int]:
    return [most >> n for n in range(most.bit_length()) if most >> n]


def _up(extent: int, unit: int) -> int:
    """`extent` rounded up to a multiple of `unit`."""
    return -(-extent // unit) * unit


def _sizes(extent: int, unit: int) -> list[int]:
    """Multiples of `unit`, or of a vector's lanes: `extent` in one, two, three ... pieces, 128 at most."""
    steps = [step for step in (unit, 16) if step % unit == 0]
    found = {_up(_up(extent, pieces) // pieces, step) for pieces in range(1, 65) for step in steps}
    return sorted(size for size in found if size <= 128)


def _word_unit(group: Attention) -> int:
    """Of how many keys a step must be a multiple, for parts of all tensors to be whole 32-bit words."""
    units = [1]
    for load in (group.key, group.value, *group.masks):
        axes = axes_of(load.data[1], {group.q, group.k, group.d, group.v})
        if axes and axes[-1] == group.k:
            units.append(32 // gcd(32, _bits(load.type)))
    return max(units)


def _bits(kind: Any) -> int:
    return max(8, kind.width)


def fits(group: Attention, plan: AttentionPlan, device: Device) -> bool:
    """Whether a core's memory, the memtiles', and the granularity of DMAs allow `plan`."""
    if l1_bytes(group, plan) + STACK > device.tile(0, device.core_rows[0]).memory:
        return False
    if uses_query_index(group) and plan.launches > 1:
        return False
    if not _has_channels(group, plan, device) or padded_shapes(group, plan) is None or not _result_grows(group, plan):
        return False
    if str(group.element) not in PRODUCT or any(_bits(mask.type) != mask.type.width for mask in group.masks):
        return False
    for load, axis in ((group.query, group.d), (group.key, group.d), (group.value, group.v)):
        if group.extent(axis) * _bits(load.type) % 32:
            return False
    memory = len(device.mem_rows) * plan.columns * device.tile(0, device.mem_rows[0]).memory
    wide = group.extent(group.d) + group.extent(group.v)
    size = plan.array * wide * _bits(group.element) // 8 + 4 * plan.keys * wide * _bits(group.element) // 8
    size += sum(plan.array * plan.padded[1] * _bits(m.type) // 8 for m in over_both(group))
    return 2 * size <= memory


def _has_channels(group: Attention, plan: AttentionPlan, device: Device) -> bool:
    """Whether memtiles have S2MM channels: for a column's results and queries, and one for what all cores get, too."""
    gets = device.tile(0, device.mem_rows[0]).channels[0]
    shared = 2 + len([m for m in group.masks if not any(d == group.q for index in m.data[1] for d, _ in index[0])])
    beside = shared + plan.rows + 1 <= gets
    return beside or (plan.columns > 1 and shared + plan.rows <= gets and plan.rows + 2 <= gets)


def padded_shapes(group: Attention, plan: AttentionPlan) -> dict[ir.Value, list[int]] | None:
    """The shapes of the tensors from outside with padded queries and keys; None where one would have to be padded inside."""
    wanted = {a: n for a, n in ((group.q, plan.padded[0]), (group.k, plan.padded[1])) if a is not None}
    shapes: dict[ir.Value, list[int]] = {}
    for load in (group.query, group.key, group.value, *group.masks):
        value, index = load.data
        shape = shapes.setdefault(value, list(value.type.shape))
        axes = axes_of(index, {group.q, group.k, group.d, group.v} - {None}) or []
        for place, axis in enumerate(axes):
            if axis is None or wanted.get(axis, 0) in (0, group.extents[axis]):
                continue
            if index[place] != (((axis, 1),), 0) or value.type.shape[place] != group.extents[axis]:
                return None
            shape[place] = max(shape[place], wanted[axis])
    return shapes


def _result_grows(group: Attention, plan: AttentionPlan) -> bool:
    """Whether the result can be longer by the padded queries: these are a dimension of their own."""
    if plan.padded[0] == group.extent(group.q):
        return True
    return group.q is not None and (((group.q, 1),), 0) in group.out


def uses_query_index(group: Attention) -> bool:
    """Whether the scores depend on the number of the query, as causal masks do."""
    from allo_air.passes._analysis.elements import leaves

    return any(part.kind == "index" and any(d == group.q for d, _ in part.data[0][0]) for part in leaves(group.score))


def over_both(group: Attention) -> list[Any]:
    """The masks that follow queries and keys."""
    return [m for m in group.masks if {group.q, group.k} <= {d for index in m.data[1] for d, _ in index[0]}]


def l1_bytes(group: Attention, plan: AttentionPlan) -> int:
    """Buffers of a core: queries, twice a chunk of them, twice the keys and values of a step, scores, sums."""
    d, v = group.extent(group.d), group.extent(group.v)
    element = _bits(group.element) // 8
    queries = (plan.m + 2 * plan.chunk) * d * element
    steps = 2 * plan.keys * (d + v) * element
    masks = 0
    for mask in group.masks:
        axes = {a for index in mask.data[1] for a, _ in index[0]}
        size = _bits(mask.type) // 8
        if group.q in axes:
            masks += (plan.m + 2 * plan.chunk) * size * (plan.padded[1] if group.k in axes else 1)
        else:
            masks += 2 * plan.keys * size
    out = plan.m * v * (_bits(group.result.type.element_type) // 8)
    return queries + steps + masks + 4 * plan.m * v + out + 4 * plan.m * plan.keys + 16 * plan.m


def cycles(group: Attention, plan: AttentionPlan, device: Device) -> float:
    """An estimate of the cycles of all launches: what a core computes or gets in each step, whichever is longer."""
    d, v = group.extent(group.d), group.extent(group.v)
    batches = 1
    for number in group.batch:
        batches *= group.extents[number]
    words = arch_of(device).stream_bytes
    element = _bits(group.element) // 8
    steps = plan.padded[1] // plan.keys
    product = PRODUCT[str(group.element)] / LANES
    powers = EXPONENTIAL / LANES
    compute = plan.m * _up(plan.keys, LANES) * ((d + v) * product + powers) + plan.m * (v * product + 4 * EXPONENTIAL) + 500
    moved = plan.keys * (d + v) * element / words
    once = plan.rows * plan.m * (d + 2 * v) * element / words + 3000
    return batches * plan.launches * (steps * max(compute, moved) + once)
