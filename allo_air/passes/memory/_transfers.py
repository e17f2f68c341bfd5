"""The access pattern of a channel transfer: another one, or an explicit one."""

from __future__ import annotations

from allo_air.access.box import Walk
from allo_air.core.constants import index_constant
from allo_air.dialects.operands import MEMREFS, AccessLists, lists_of, memref_of, with_lists
from allo_air.mlir import ir
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.operands import with_operands


def with_walk(transfer: ir.Operation, memref: ir.Value, walk: Walk) -> ir.Operation:
    """Replaces `transfer` by one with the memref `memref` and the access pattern `walk`."""
    [field], constants, result = MEMREFS[transfer.name], Indices(), walk.lists()
    lists = [[constants.value(part, transfer) for part in parts] for parts in (result.offsets, result.sizes, result.strides)]
    return with_operands(transfer, {field: [memref], **with_lists(field, lists)})


def explicit_lists_of(transfer: ir.Operation) -> AccessLists:
    """The access lists of `transfer`; those of the whole buffer, created before `transfer`, if it has none."""
    lists = lists_of(transfer)
    if lists[1]:
        return lists
    kind = memref_of(transfer).type
    strides, _ = kind.get_strides_and_offset()
    with ir.InsertionPoint(transfer), transfer.location:
        offsets, sizes, steps = ([index_constant(n) for n in numbers] for numbers in ([0] * kind.rank, kind.shape, strides))
    return offsets, sizes, steps
