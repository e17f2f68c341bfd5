"""A channel transfer on another buffer."""

from __future__ import annotations

from allo_air.access.box import Walk
from allo_air.dialects.operands import MEMREFS, with_lists
from allo_air.mlir import ir
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.operands import with_operands


def with_walk(transfer: ir.Operation, memref: ir.Value, walk: Walk) -> ir.Operation:
    """Replaces `transfer` by one with the memref `memref` and the access pattern `walk`."""
    [field], constants, result = MEMREFS[transfer.name], Indices(), walk.lists()
    lists = [[constants.value(part, transfer) for part in parts] for parts in (result.offsets, result.sizes, result.strides)]
    return with_operands(transfer, {field: [memref], **with_lists(field, lists)})
