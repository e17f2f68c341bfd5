"""aie-insert-trace-flows."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes.trace._flows import Choices, Flows


@dataclass(frozen=True)
class AieInsertTraceFlows(Pass):
    """Routes the packets of declared traces to a shim, and makes runtime sequences receive, start and stop the traces.

    All traces go to one S2MM channel: `shim-channel` of the first traced tile's column, or the highest channel without another
    flow, there or in the next column that has one. Traces without a packet id get the lowest free one, in the order of tiles.
    `aie.trace.host_config` gives the number of bytes that the shim writes, into one more argument of the sequence or after the
    data of the last one (reuse_output_buffer), and the column; without it the shim writes `buffer-size` bytes into host
    argument `arg-idx`, by default the one after those of the sequence. The shim's user events generate the broadcasts that
    traces wait for: event 1 after the last configuration and event 0 at the end of the sequence.

    Before:

        aie.trace @core_trace(%tile_0_2) {
          aie.trace.event <"INSTR_EVENT_0">
          aie.trace.start broadcast = 15
        }
        aie.runtime_sequence @seq(%a: memref<8xi32>) {
          aie.trace.start_config @core_trace
        }

    After:

        aie.trace @core_trace(%tile_0_2) {
          aie.trace.packet id = 1 type = core
          aie.trace.event <"INSTR_EVENT_0">
          aie.trace.start broadcast = 15
        }
        aie.runtime_sequence @seq(%a: memref<8xi32>) {
          aie.trace.start_config @core_trace
          aiex.npu.writebd {bd_id = 15 : i32, buffer_length = 16384 : i32, ...}
          aiex.npu.address_patch {addr = 119268 : ui32, arg_idx = 1 : i32, arg_plus = 0 : i32}
          aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 15 : i32, issue_token = false, repeat_count = 0 : i32}
          aiex.npu.write32 {address = 213068 : ui32, column = 0 : i32, row = 0 : i32, value = 127 : ui32}
          aiex.npu.write32 {address = 213000 : ui32, column = 0 : i32, row = 0 : i32, value = 127 : ui32}
        }
        aie.packet_flow(1) {
          aie.packet_source<%tile_0_2, Trace : 0>
          aie.packet_dest<%tile_0_0, DMA : 1>
        } {keep_pkt_header = true}
    """

    name = "aie-insert-trace-flows"
    anchor = "aie.device"
    shim_channel: int = -1
    """The S2MM channel that receives the traces; -1 for the highest free one."""
    arg_idx: int = -1
    """The host argument that the shim writes to; -1 for an additional one after those of the sequence."""
    buffer_size: int = 65536
    """Bytes that the shim writes if no host_config gives a number."""
    default_bd_id: int = 15
    """The shim's BD that receives; several channels also use the next lower ones."""
    packet_id_start: int = 1
    """The lowest packet id of traces."""
    burst_length: int = 64
    """Length of the shim's bursts in bytes, in sequences with a host_config."""
    distribute_channels: bool = False
    """Distribute traces over all free channels of the shim, each with a part of the buffer."""
    lateral_routing: bool = False
    """Route traces to the shim of column lateral-target-col."""
    lateral_target_col: int = -1
    """The column of that shim; -1 for the column of the first traced tile."""

    def run(self, op: ir.Operation, /) -> None:
        dialects.load(op.context, ("aiex",))
        column = self.lateral_target_col if self.lateral_routing else -1
        choices = Choices(self.packet_id_start, self.default_bd_id, self.burst_length, column, self.distribute_channels)
        Flows(op, self.shim_channel, self.arg_idx, self.buffer_size, choices).run()
