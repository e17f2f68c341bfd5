"""Replacing an operation by one with other operands: the bindings cannot change their number in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.mlir import ir

SEGMENTS = "operandSegmentSizes"


def operand_groups(op: Any) -> list[list[Any]]:
    """The operands by declared field, as `operandSegmentSizes` tells; one group where the operation has none."""
    operands, attributes = list(op.operands), op.attributes
    if SEGMENTS not in attributes:
        return [operands]
    groups, start = [], 0
    for size in attributes[SEGMENTS]:
        groups.append(operands[start : start + size])
        start += size
    return groups


def with_operands(op: Any, groups: Sequence[Sequence[Any]], results: Sequence[int] | None = None) -> Any:
    """Replaces `op` by the same operation on `groups`, its regions moved over; keeps of its results those at `results`, or all."""
    attributes = dict(op.attributes.items())
    if SEGMENTS in attributes:
        attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get([len(g) for g in groups], op.context)
    kept = list(range(len(op.results))) if results is None else list(results)
    olds = list(op.results)
    new = ir.Operation.create(
        op.name,
        [olds[i].type for i in kept],
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


def is_unused(value: Any) -> bool:
    """Whether nothing uses `value`."""
    return next(iter(value.uses), None) is None
