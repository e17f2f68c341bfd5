"""aie-ctrl-packet-infer-tiles."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import ir
from allo_air.passes._analysis.controllers import tile_at
from allo_air.target.control_packets import packets_of


@dataclass(frozen=True)
class AieCtrlPacketInferTiles(Pass):
    """Creates the tiles that control packets address, and their shims, if the device does not declare them.

    Before:

        aie.runtime_sequence @configure() {
          aiex.control_packet {address = 2224128 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
        }

    After:

        %tile_0_2 = aie.tile(0, 2)
        %tile_0_0 = aie.tile(0, 0)
        aie.runtime_sequence @configure() {
          aiex.control_packet {address = 2224128 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
        }
    """

    name = "aie-ctrl-packet-infer-tiles"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        device = device_of(op)
        for sequence in declarations(op, "aie.runtime_sequence"):
            for packet in packets_of(sequence, device):
                for place in ((packet.tile[0], 0), packet.tile):
                    tile_at(op, place)
