"""Operands of our operations by the names of their fields, and the access lists of AIR's transfers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import span_of
from allo_air.dialects import declared

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

SEGMENTS = "operandSegmentSizes"

MEMREFS = {"air.dma_memcpy_nd": ("dst", "src"), "air.channel.put": ("src",), "air.channel.get": ("dst",)}
"""Fields of the memrefs that a transfer moves; `src_offsets`, `src_sizes` and `src_strides` are the access lists of `src`."""
_LISTS = ("offsets", "sizes", "strides")

AccessLists = tuple[list[Any], list[Any], list[Any]]
"""Offsets, sizes and strides."""


def operands_of(op: AnyOp) -> dict[str, list[ir.Value]]:
    """The operands of `op`, a list for each declared field."""
    fields = _fields(op.name)
    operands, attributes = list(op.operands), op.attributes
    if SEGMENTS not in attributes:
        return _without_segments(op.name, operands)
    sizes = attributes[SEGMENTS]
    counts = [sizes[i] for i in range(len(sizes))]  # by index: iterating over it takes three times as long
    values, start, slot = {}, 0, 0
    for name, slots in fields:
        size = counts[slot] if slots == 1 else sum(counts[slot : slot + slots])
        values[name] = operands[start : start + size]
        start += size
        slot += slots
    return values


def _without_segments(name: str, operands: list[ir.Value]) -> dict[str, list[ir.Value]]:
    """The operands by field of an operation with at most one field of more or fewer than one operand."""
    op = declared(name)
    assert op is not None
    fields = op.DECL.operands
    rest = len(operands) - sum(f.arity == "single" for f in fields)
    values, first = {}, 0
    for field in fields:
        size = 1 if field.arity == "single" else rest
        values[field.name] = operands[first : first + size]
        first += size
    return values


def memref_of(end: AnyOp) -> ir.Value:
    """The memref of a put or a get."""
    [field] = MEMREFS[end.name]
    before, _ = span_of(end, SEGMENTS, slots_before(end.name, field), 0)
    return end.operands[before]


def lists_of(transfer: AnyOp, field: str = "") -> AccessLists:
    """The access lists of the memref in `field`, which may be omitted for a put or a get."""
    field, operands = field or MEMREFS[transfer.name][0], operands_of(transfer)
    offsets, sizes, strides = (operands[f"{field}_{name}"] for name in _LISTS)
    return offsets, sizes, strides


def with_lists(field: str, lists: Sequence[Sequence[Any]]) -> dict[str, Sequence[ir.Value]]:
    """The operands of the access lists of the memref in `field`."""
    return {f"{field}_{name}": values for name, values in zip(_LISTS, lists, strict=True)}


@cache
def slots_before(name: str, field: str) -> int:
    """The number of segment sizes of operation `name` that precede those of `field`."""
    fields = _fields(name)
    return sum(slots for _, slots in fields[: [own for own, _ in fields].index(field)])


@cache
def _fields(name: str) -> tuple[tuple[str, int], ...]:
    """The operand fields of operation `name`, with the number of segment sizes of each."""
    result = declared(name)
    assert result is not None, f"{name} is not declared"
    return tuple((field.name, field.slots) for field in result.DECL.operands)
