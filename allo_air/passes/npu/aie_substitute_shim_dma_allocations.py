"""aie-substitute-shim-dma-allocations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.dialects.declarations import declarations, fifo_of, no_allocation
from allo_air.mlir import ir


@dataclass(frozen=True)
class AieSubstituteShimDmaAllocations(Pass):
    """Replaces the names of shim DMA allocations in tasks and BD chains by tile, direction and channel.

    Before:

        aie.shim_dma_allocation @in (%tile_0_0, MM2S, 0)
        ... %t = aiex.dma_configure_task_for @in { ... }

    After:

        %t = aiex.dma_configure_task(%tile_0_0, MM2S, 0) { ... }
    """

    name = "aie-substitute-shim-dma-allocations"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        allocations = {a.sym_name: a for a in declarations(op, "aie.shim_dma_allocation")}
        for user in walk_named(op, "aiex.dma_configure_task_for", "aiex.dma_start_bd_chain_for"):
            view = user.opview
            allocation = allocations.get(view.alloc)
            if allocation is None:
                raise no_allocation(view, view.alloc, [fifo_of(a) or name for name, a in allocations.items()])
            _substitute(view, allocation)


def _substitute(view: Any, item: Any) -> None:
    common = {
        "tile": item.tile,
        "direction": item.channel_dir,
        "channel": item.channel_index,
        "issue_token": view.issue_token,
        "repeat_count": view.repeat_count,
        "loc": view.location,
        "ip": ir.InsertionPoint(view),
    }
    if view.OPERATION_NAME == "aiex.dma_start_bd_chain_for":
        if item.packet is not None:
            raise error_at(view, f"starts a chain on @{view.alloc}, which has a packet header; configure a task there instead")
        new: Any = aiex.DMAStartBdChainOp(args=list(view.args), symbol=view.symbol, **common)
    else:
        values = {name: getattr(view, name) for name in ("repeat_count_operand", "bd_id_operand", "bd_id")}
        new = aiex.DMAConfigureTaskOp(packet=item.packet, **common, **values)
        for block in list(view.body.blocks):
            block.append_to(new.body)
    view.task.replace_all_uses_with(new.task)
    view.operation.erase()
