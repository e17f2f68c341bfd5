"""Converts a transfer of a control program to shim BDs, keeping its dimensions. Sizes that are too large for their fields are
divided, and steps that are too large become separate transfers. One offset and one size may be run-time values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.access.dims import Dims, is_contiguous
from allo_air.access.fields import WORD
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.dialects.states import AUGUST, printed_state
from allo_air.errors import counted
from allo_air.passes.runtime._shim_limits import descriptors, problem

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

Number = int | Any
"""An int, or a value of type i64."""

_RANK = 4
_SIZES = (1024, 1024, 1024, 64)
"""Exclusive upper limits of the sizes, innermost first."""
_STRIDE = 1 << 20
"""The largest step, in elements."""
_COPIES = 16
"""Largest number of transfers that replace one with a too large step."""


@dataclass(frozen=True)
class Walk:
    """(offset, size, stride) of each dimension, outermost first. It begins at `base` plus `value_terms`: run-time values, each
    with its factor.
    """

    rows: tuple[tuple[Number, Number, int], ...]
    base: int = 0
    value_terms: tuple[tuple[Any, int], ...] = ()

    @property
    def dims(self) -> Dims:
        return tuple((size, stride) for _, size, stride in self.rows)

    def without(self, row: int, number: int) -> Walk:
        """The walk at index `number` of dimension `row`."""
        offset, _, stride = self.rows[row]
        rest = self.rows[:row] + self.rows[row + 1 :]
        moved = self.value_terms if isinstance(offset, int) else (*self.value_terms, (offset, stride))
        start = (offset if isinstance(offset, int) else 0) + number
        return Walk(rest, self.base + start * stride, moved)


@dataclass(frozen=True)
class TaskBd:
    """A descriptor: `length` elements in the order of `dims` from `offset` on, repeated `times` times.

    `value_terms` are added to the offset: run-time values, each with its factor. `length_value` (with its factor) and
    `times_value` replace a length and a number of times that are only known at run time.
    """

    offset: int
    length: int
    dims: Dims
    times: int = 1
    value_terms: tuple[tuple[Any, int], ...] = ()
    length_value: tuple[Any, int] | None = None
    times_value: Any = field(default=None)


def walk_of(op: AnyOp, base: int, moved: Sequence[tuple[ir.Value, int]]) -> Walk:
    """The access lists of `op`, an airrt.dma_memcpy_nd, on a buffer that begins at offset `base` plus `value_terms` of its
    argument."""
    view = op.opview
    lists = [[_number(getattr(view, f"{name}{i}")) for i in (3, 2, 1, 0)] for name in ("offset", "length", "stride")]
    if any(not isinstance(stride, int) for stride in lists[2]):
        raise error_at(op, "has a stride that is a value: runtime-valued DMA stride is not supported; make it a constant")
    for numbers, name in zip(lists, ("offset", "size"), strict=False):
        values = [n for n in numbers if not isinstance(n, int) and not (name == "offset" and _counts(n))]
        if len(values) > 1:
            raise error_at(
                op,
                f"has {counted(len(values), 'value')} among its {name}s: more than one runtime-valued DMA "
                f"{name} is not supported; add"
                " them up, or make the others constants",
            )
    for size in lists[1]:
        if isinstance(size, int) and size < 1:
            raise error_at(op, f"has sizes {[n if isinstance(n, int) else '?' for n in lists[1]]}; each must be at least 1")
    return Walk(tuple(zip(*lists, strict=True)), base, tuple(moved))


def _number(value: ir.Value) -> Number:
    constant = constant_of(value)
    return value if constant is None else constant


def _counts(value: ir.OpView) -> bool:
    """Whether a value is computed only from loop counters and constants."""
    owner = value.owner
    if not hasattr(owner, "operands"):
        loop = owner.owner
        return loop is not None and loop.operation.name == "scf.for" and value.arg_number == 0
    return owner.name.startswith(("arith.", "affine.")) and all(_counts(v) for v in owner.operands)


def bds_of(op: AnyOp, walk: Walk, bits: int) -> list[TaskBd]:
    """The descriptors of `walk`, over elements of `bits` bits, in order; DiagnosticError if there are none."""
    row = next((i for i, (_, size, _) in enumerate(walk.rows) if not isinstance(size, int)), None)
    if row is not None:
        return [_of_run_time_size(op, walk, row)]
    if wrong := problem(walk.base + _start(walk.rows), walk.dims, bits):
        raise error_at(op, wrong)
    return [
        descriptor for part in _divided(op, walk, bits) for near in _near(op, part) for descriptor in _descriptors(near, bits)
    ]


def _start(rows: Sequence[tuple[Number, Number, int]]) -> int:
    return sum(offset * stride for offset, _, stride in rows if isinstance(offset, int))


def _divided(op: AnyOp, walk: Walk, bits: int) -> list[Walk]:
    """Walks of four dimensions whose sizes fit: larger ones become two; those beyond four are unrolled.

    Contiguous walks stay, as in mlir-air since May 2026; before, they were cut like the others.
    """
    contiguous = is_contiguous(walk.dims)
    if contiguous and printed_state() == AUGUST:
        return [walk]
    rows = list(walk.rows)
    inner = 0
    while inner < min(len(rows), _RANK):
        place = len(rows) - 1 - inner
        offset, size, stride = rows[place]
        if size >= _SIZES[inner]:
            unit = max(1, WORD // bits) if inner == 0 else 1
            factors = [n for n in range(_SIZES[inner] - 1, 1, -1) if size % n == 0 and n % unit == 0]
            near = (n for n in factors if isinstance(stride, int) and abs(stride) * n <= _STRIDE)
            factor = next(near, factors[0] if factors else None)
            if factor is None and contiguous:
                return [walk]
            if factor is None:
                raise error_at(
                    op,
                    f"has size {size}, and a descriptor's dimension {inner} holds less than {_SIZES[inner]}; no factor of it "
                    f"fits{' that fills words' if unit > 1 else ''}: choose another size",
                )
            rows[place : place + 1] = [(0, size // factor, stride * factor), (offset, factor, stride)]
            unused = next((i for i, (o, n, _) in enumerate(rows) if n == 1 and isinstance(o, int) and o == 0), None)
            if unused is not None:
                del rows[unused]
        inner += 1
    results = [replace(walk, rows=tuple(rows))]
    while len(results[0].rows) > _RANK:
        results = [each.without(0, n) for each in results for n in range(each.rows[0][1])]
    return results


def _near(op: AnyOp, walk: Walk) -> list[Walk]:
    """Walks without too large steps: each index of such a dimension becomes a transfer, if they are few and outermost."""
    far = next((i for i, (_, size, stride) in enumerate(walk.rows) if size > 1 and abs(stride) > _STRIDE), None)
    if far is None:
        return [walk]
    _, size, stride = walk.rows[far]
    outside = [n for _, n, _ in walk.rows[:far]]
    if far == 0 or any(n > 1 for n in outside) or size > _COPIES:
        raise error_at(
            op,
            f"steps by {stride:,} elements "
            f"{counted(size, 'time')}; the largest step of a descriptor is {_STRIDE:,}. Up to {_COPIES}"
            f" larger steps become separate transfers if they are the outermost dimension: split the transfer",
        )
    return [replace(each, rows=((0, 1, 0), *each.rows)) for n in range(size) for each in _near(op, walk.without(far, n))]


def _descriptors(walk: Walk, bits: int) -> list[TaskBd]:
    offset = walk.base + _start(walk.rows)
    moved = (*walk.value_terms, *((o, stride) for o, _, stride in walk.rows if not isinstance(o, int)))
    (times, outer), *middle, last = walk.dims
    if (last[0] > 1 and not last[1]) or _repeats_inside(walk.dims):
        return [TaskBd(offset + d.offset, d.length, _iterated(d), d.runs, moved) for d in descriptors(0, walk.dims, bits)]
    dims = [(times, outer)] if outer else []
    length = last[0]
    for size, stride in middle:
        if size > 1 and not stride:
            times *= size
            continue
        length *= size
        if size > 1 or outer:
            dims.append((size, stride))
    return [TaskBd(offset, length, (*dims, last), times, moved)]


def _repeats_inside(dims: Dims) -> bool:
    """Whether a dimension repeats the same elements inside an outer dimension that steps, which no queue can do."""
    steps = False
    for size, stride in dims:
        if size > 1 and stride:
            steps = True
        elif size > 1 and steps:
            return True
    return False


def _iterated(item: Any) -> Dims:
    dims = item.dims or ((item.length, 1),)
    return ((item.rounds, item.stride), *dims) if item.stride else dims


def _of_run_time_size(op: AnyOp, walk: Walk, row: int) -> TaskBd:
    """The descriptor of a walk whose dimension `row` has a run-time size: the length, or the repeat count."""
    _, size, stride = walk.rows[row]
    offset = walk.base + _start(walk.rows)
    moved = (*walk.value_terms, *((o, s) for o, _, s in walk.rows if not isinstance(o, int)))
    outside, inside = walk.dims[:row], walk.dims[row + 1 :]
    elements = prod(n for n, _ in inside)
    if all(n == 1 for n, _ in outside) and is_contiguous(inside) and stride == elements:
        return TaskBd(offset, 0, (), 1, moved, length_value=(size, elements))
    if row == 0 and stride == 0 and not any(n > 1 and not s for n, s in inside):
        dims = tuple((n, s) for n, s in inside[:-1] if n > 1)
        return TaskBd(offset, elements, (*dims, inside[-1]), 1, moved, times_value=size)
    raise error_at(
        op,
        f"has a size that is a value: runtime-valued DMA size in dimension {row} requires a contiguous transfer or a zero outer"
        " stride",
    )
