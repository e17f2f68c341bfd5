"""aie-ctrl-packet-to-dma."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.control._packet_dma import send


@dataclass(frozen=True)
class AieCtrlPacketToDma(Pass):
    """Sends the control packets of runtime sequences from a host buffer by the shim's DMA, one task for each.

    The buffer becomes the sequence's last argument; `allo-translate --aie-ctrlpkt-to-bin`, given the file before this pass,
    writes its words. Packets use the channels that `aie-generate-column-control-overlay` names with `route-shim-to-tile-ctrl`.

    Before:

        aie.runtime_sequence @configure() {
          aiex.control_packet {address = 2224128 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
        }

    After:

        aie.runtime_sequence @configure(%arg0: memref<?xi32>) {
          aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 1, 3][0, 0, 0, 1])
            {id = 0 : i64, issue_token = true, metadata = @ctrlpkt_col0_mm2s_chan0} : memref<?xi32>
          aiex.npu.sync {channel = 0 : i32, column = 0 : i32, ...}
        }
    """

    name = "aie-ctrl-packet-to-dma"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        for sequence in declarations(op, "aie.runtime_sequence"):
            send(op, sequence)
