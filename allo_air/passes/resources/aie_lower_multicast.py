"""aie-lower-multicast."""

from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir


@dataclass(frozen=True)
class AieLowerMulticast(Pass):
    """Turns each destination of a multicast into a flow.

    Before:

        aiex.multicast(%tile_0_1, DMA : 0) {
          aiex.multi_dest<%tile_0_2, DMA : 0>
          aiex.multi_dest<%tile_0_3, DMA : 1>
        }

    After:

        aie.flow(%tile_0_1, DMA : 0, %tile_0_2, DMA : 0)
        aie.flow(%tile_0_1, DMA : 0, %tile_0_3, DMA : 1)
    """

    name = "aie-lower-multicast"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        for multicast in declarations(op, "aiex.multicast"):
            dests = [o.opview for o in walk_named(multicast, "aiex.multi_dest")]
            if not dests:
                raise error_at(multicast, "has no destination; expected at least one aiex.multi_dest")
            for dest in dests:
                aie.FlowOp(
                    source=multicast.tile,
                    source_bundle=multicast.bundle,
                    source_channel=multicast.channel,
                    dest=dest.tile,
                    dest_bundle=dest.bundle,
                    dest_channel=dest.channel,
                    loc=dest.location,
                    ip=ir.InsertionPoint(multicast),
                )
            multicast.operation.erase()
