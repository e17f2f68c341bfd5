"""Helpers that create linalg.generic operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.mlir import ir, linalg
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.generic import Generic, open_generic
from allo_air.passes._ir.tensors import empty


def finish(block: ir.Block, values: Sequence[ir.Value]) -> None:
    """Ends the block of a linalg.generic with a yield of `values`."""
    with ir.InsertionPoint(block):
        linalg.YieldOp(list(values))


def index_of(loop: int) -> Any:
    """The index of a loop, in the body of a linalg operation."""
    return linalg.IndexOp(loop).result


def copy_of(value: ir.Value) -> Any:
    """A copy of `value` by linalg.copy; canonicalize would remove a linalg.generic that only copies."""
    return linalg.copy(value, outs=[empty(value.type)])


def with_results(op: ir.Operation, values: Sequence[tuple[ir.Value, Sequence[int]]]) -> ir.Operation:
    """The linalg.generic `op` rebuilt with `values` as additional results, each with a destination and the given loops."""
    olds, counts = list(op.operands), [int(n) for n in op.attributes["operandSegmentSizes"]]
    maps = indexing_maps(op)
    new_maps = [ir.AffineMap.get(maps[0].n_dims, 0, [ir.AffineDimExpr.get(d) for d in loops]) for _, loops in values]
    operands = [v for v, _ in values]
    with ir.InsertionPoint(op), op.location:
        generic_op, block = open_generic(
            [*olds[: counts[0]], *operands],
            [*olds[counts[0] :], *(empty(v.type) for v in operands)],
            [*maps[: counts[0]], *new_maps, *maps[counts[0] :], *new_maps],
            Generic.of(op).iterators,
        )
    arguments = list(block.arguments)
    old = op.regions[0].blocks[0]
    arguments_kept = [*arguments[: counts[0]], *arguments[counts[0] + len(operands) :][: counts[1]]]
    for before, after in zip(old.arguments, arguments_kept, strict=True):
        before.replace_all_uses_with(after)
    for inner in list(old.operations):
        block.append(inner)
    last = block.operations[-1].operation
    ends = [*last.operands, *arguments[counts[0] :][: len(operands)]]
    last.erase()
    finish(block, ends)
    for result, new in zip(op.results, generic_op.results, strict=False):
        result.replace_all_uses_with(new)
    op.erase()
    return generic_op
