"""aie-materialize-bd-chains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.dialects.declarations import declarations
from allo_air.errors import counted
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import BDChainOp


@dataclass(frozen=True)
class AieMaterializeBdChains(Pass):
    """Replaces each start of a BD chain by a task with the chain's descriptors, which is started immediately.

    Before:

        aie.bd_chain @c(%x: memref<8xi16>) { aie.dma_bd(%x : memref<8xi16>, 0, 8) aie.end }
        ... %t = aiex.dma_start_bd_chain @c(%a) : (memref<8xi16>) on (%tile_0_0, MM2S, 0)

    After:

        %t = aiex.dma_configure_task(%tile_0_0, MM2S, 0) { aie.dma_bd(%a : memref<8xi16>, 0, 8) aie.end }
        aiex.dma_start_task(%t)
    """

    name = "aie-materialize-bd-chains"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        chains = {c.sym_name: c for c in declarations(op, "aie.bd_chain")}
        for start in walk_named(op, "aiex.dma_start_bd_chain", "aiex.dma_start_bd_chain_for"):
            view = start.opview
            if view.symbol not in chains:
                raise error_at(view, f"names @{view.symbol}, which is not an aie.bd_chain of the device")
            _materialize(view, chains[view.symbol])
        for chain in chains.values():
            chain.operation.erase()


def _materialize(view: ir.OpView, chain: BDChainOp) -> None:
    parameters = list(chain.body.blocks[0].arguments)
    if len(parameters) != len(view.args):
        raise error_at(view, f"gives {counted(len(view.args), 'buffer')} to @{view.symbol}, which takes {len(parameters)}")
    common = {"issue_token": view.issue_token, "repeat_count": view.repeat_count, "loc": view.location}
    ip = ir.InsertionPoint(view)
    if view.OPERATION_NAME == "aiex.dma_start_bd_chain_for":
        task: Any = aiex.DMAConfigureTaskForOp(alloc=view.alloc, **common, ip=ip)
    else:
        task = aiex.DMAConfigureTaskOp(tile=view.tile, direction=view.direction, channel=view.channel, **common, ip=ip)
    copy = chain.operation.clone(ip)
    for block in list(copy.regions[0].blocks):
        block.append_to(task.body)
    copy.erase()
    entry = task.body.blocks[0]
    for parameter, value in zip(list(entry.arguments), view.args, strict=True):
        parameter.replace_all_uses_with(value)
    for index in reversed(range(len(entry.arguments))):
        entry.erase_argument(index)
    view.task.replace_all_uses_with(task.task)
    aiex.DMAStartTaskOp(task=task.task, loc=view.location, ip=ip)
    view.operation.erase()
