"""`transform.air.copy_to_dma`: applies air-copy-to-dma to single copies, also within one memory space."""

from itertools import count
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects.air import L3, DmaMemcpyNdOp
from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._ir.fold_access import fold_transfers
from allo_air.passes.bind._dma import as_dma, check_strides, space_of
from allo_air.transform.operations import Application

_NUMBERED = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")


def apply(call: Application) -> list[list[ir.Operation]]:
    """Replaces the copies by DMA copies, whose access lists are relative to the views' bases; returns these."""
    used_ids = (o.attributes["id"].value for o in walk_named(call.root, *_NUMBERED) if "id" in o.attributes)
    numbers = count(1 + max(used_ids, default=0))

    def rewrite(target: ir.Operation) -> Any:
        call.expect(target, "memref.copy")
        source, destination = target.operands
        if source == destination:
            raise PassError("copies a buffer onto itself, which is not a transfer; erase it", target.location, target.name)
        if space_of(target, source) == space_of(target, destination) == L3:
            raise PassError(
                "copies inside L3, where no DMA of the array moves data; give one side a memory space (1 for L2, 2 for L1)",
                target.location,
                target.name,
            )
        where = (target.location, target.name)
        ops = [as_dma(target, next(numbers)).operation]
        fold_transfers(ops[0], ops)
        if ops[0] is None or ops[0].name != "air.dma_memcpy_nd":
            raise PassError("copies elements onto themselves, which is not a transfer; erase it", *where)
        check_strides(DmaMemcpyNdOp(ops[0]))
        return ops[0]

    return call.each(rewrite)
