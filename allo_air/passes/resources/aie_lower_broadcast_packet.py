"""aie-lower-broadcast-packet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.dialects.declarations import declarations
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._aiex_tasks import BPIDOp


@dataclass(frozen=True)
class AieLowerBroadcastPacket(Pass):
    """Turns each packet id of a broadcast into a packet flow to its destinations.

    Before:

        aiex.broadcast_packet(%tile_0_2, DMA : 0) {
          aiex.bp_id(0x0) {
            aiex.bp_dest<%tile_0_3, DMA : 0>
            aiex.bp_dest<%tile_0_4, DMA : 0>
          }
        }

    After:

        aie.packet_flow(0x0) {
          aie.packet_source<%tile_0_2, DMA : 0>
          aie.packet_dest<%tile_0_3, DMA : 0>
          aie.packet_dest<%tile_0_4, DMA : 0>
        }
    """

    name = "aie-lower-broadcast-packet"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        for broadcast in declarations(op, "aiex.broadcast_packet"):
            for packet in [o.opview for o in walk_named(broadcast, "aiex.bp_id")]:
                _flow(broadcast, packet)
            broadcast.operation.erase()


def _flow(broadcast: AnyOp, packet: BPIDOp) -> None:
    dests = [o.opview for o in walk_named(packet, "aiex.bp_dest")]
    if not dests:
        raise error_at(packet, "has no destination; expected at least one aiex.bp_dest")
    flow = aie.PacketFlowOp(ID=packet.ID, loc=packet.location, ip=ir.InsertionPoint(broadcast))
    ip = ir.InsertionPoint(flow.ports.blocks.append())
    for kind, port in ((aie.PacketSourceOp, broadcast), *((aie.PacketDestOp, d) for d in dests)):
        kind(tile=port.tile, bundle=port.bundle, channel=port.channel, loc=port.location, ip=ip)
    aie.EndOp(loc=packet.location, ip=ip)
