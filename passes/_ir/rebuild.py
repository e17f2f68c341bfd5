"""Replacing an operation by one with other operands: the bindings cannot change their number in place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from allo_air.dialects import declared
from allo_air.mlir import ir

SEGMENTS = "operandSegmentSizes"
RESULT_SEGMENTS = "resultSegmentSizes"


def operand_groups(op: Any) -> list[list[Any]]:
    """The operands of `op`, one of AIR's operations, a list for each declared field."""
    operands, attributes = list(op.operands), op.attributes
    if SEGMENTS not in attributes:
        return [operands]
    sizes = attributes[SEGMENTS]
    counts = [sizes[i] for i in range(len(sizes))]  # by index: iterating over it takes three times as long
    groups, start, slot = [], 0, 0
    for slots in _slots(op.name):
        size = counts[slot] if slots == 1 else sum(counts[slot : slot + slots])
        groups.append(operands[start : start + size])
        start += size
        slot += slots
    return groups


def with_operands(op: Any, groups: Sequence[Sequence[Any]], results: Sequence[int] | None = None) -> Any:
    """Replaces `op` by the same operation on `groups`, its regions moved over; keeps its results at `results`, or all."""
    declaration = _declaration(op)
    attributes = dict(op.attributes.items())
    olds = list(op.results)
    kept = range(len(olds)) if results is None else results
    types = [olds[i].type for i in kept]
    if SEGMENTS in attributes:
        sizes = [n for f, group in zip(declaration.operands, groups, strict=True) for n in f.segments([v.type for v in group])]
        attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get(sizes, op.context)
    if RESULT_SEGMENTS in attributes and results is not None:
        attributes[RESULT_SEGMENTS] = ir.DenseI32ArrayAttr.get(_result_segments(declaration, types), op.context)
    new = ir.Operation.create(
        op.name,
        types,
        [value for group in groups for value in group],
        attributes,
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for old_region, new_region in zip(op.regions, new.regions, strict=True):
        for block in list(old_region.blocks):
            block.append_to(new_region)
    for i, value in zip(kept, new.results, strict=True):
        olds[i].replace_all_uses_with(value)
    op.erase()
    return new


def _result_segments(declaration: Any, types: list[Any]) -> list[int]:
    """Segment sizes for a token followed by values: the one shape of results that has segments."""
    token, values = declaration.results
    return [*token.segments(types[:1]), *values.segments(types[1:])]


@cache
def _slots(name: str) -> tuple[int, ...]:
    """How many entries of the segment sizes each operand field of operation `name` has."""
    found = declared(name)
    assert found is not None, f"{name} is not declared"
    return tuple(field.slots for field in found.DECL.operands)


def _declaration(op: Any) -> Any:
    found = declared(op.name)
    assert found is not None, f"{op.name} is not declared"
    return found.DECL
