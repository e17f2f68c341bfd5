"""Replaces an operation by one with other operands: the bindings cannot change their number in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.dialects import declared
from allo_air.dialects.operands import SEGMENTS, operands_of
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._op import Decl

RESULT_SEGMENTS = "resultSegmentSizes"


def with_operands(op: AnyOp, changed: Mapping[str, Sequence[ir.Value]], results: Sequence[int] | None = None) -> ir.Operation:
    """Replaces `op` by the same with other operands in the fields `changed`; keeps its results at `results`, or all."""
    declaration, operands = _declaration(op), operands_of(op) | dict(changed)
    attributes = dict(op.attributes.items())
    olds = list(op.results)
    numbers = range(len(olds)) if results is None else results
    types = [olds[i].type for i in numbers]
    if SEGMENTS in attributes:
        sizes = [n for f in declaration.operands for n in f.segments([v.type for v in operands[f.name]])]
        attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get(sizes, op.context)
    if RESULT_SEGMENTS in attributes and results is not None:
        attributes[RESULT_SEGMENTS] = ir.DenseI32ArrayAttr.get(_result_segments(declaration, types), op.context)
    new = ir.Operation.create(
        op.name,
        types,
        [value for group in operands.values() for value in group],
        attributes,
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for old_region, new_region in zip(op.regions, new.regions, strict=True):
        for block in list(old_region.blocks):
            block.append_to(new_region)
    for i, value in zip(numbers, new.results, strict=True):
        olds[i].replace_all_uses_with(value)
    op.erase()
    return new


def _result_segments(declaration: Decl, types: list[ir.Type]) -> list[int]:
    """Segment sizes of results that are a token and then values, as in all operations whose results have segments."""
    token, values = declaration.results
    return [*token.segments(types[:1]), *values.segments(types[1:])]


def _declaration(op: AnyOp) -> Any:
    result = declared(op.name)
    assert result is not None, f"{op.name} is not declared"
    return result.DECL
