// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: trace.

module {
  aie.device(npu2) {
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_0 = aie.tile(0, 0) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 4>}
    aie.trace @core_trace(%tile_0_2) {
      aie.trace.mode "Event-Time"
      aie.trace.packet id=1 type=core
      aie.trace.event<"INSTR_EVENT_0"> label = "kernel_start"
      aie.trace.event<"INSTR_VECTOR">
      aie.trace.event <CoreEventAIE2P::LOCK_STALL>
      aie.trace.port<0> port=North channel=1 direction=S2MM
      aie.trace.combo_event<0> <"INSTR_EVENT_0"> AND <"INSTR_VECTOR">
      aie.trace.edge_event<0> event=<"LOCK_STALL"> trigger=RISING
      aie.trace.start broadcast=15
      aie.trace.stop event=<"INSTR_EVENT_1">
    }
    aie.trace @m(%tile_0_2) { aie.trace.mode "Event-PC" aie.trace.packet id = 2 type = mem aie.trace.start event = <"TRUE"> aie.end }
    aie.trace.config @c(%tile_0_2) packet_type=core {
      aie.trace.reg register="Trace_Control0" field="Mode" value=0
      aie.trace.reg register = "Trace_Control1" value = 0x1001
      aie.trace.reg register = "Trace_Event0" value = -2 : i32
      aie.trace.reg register = "Trace_Control0" value = 4 : i32 mask = 0x7f : i32 comment = "when it starts"
    }
    aie.runtime_sequence @seq(%a: memref<4xi32>) {
      aie.trace.start_config @core_trace
      aiex.control_packet {address = 0x1f000 : ui32, data = array<i32: 1, 2>, opcode = 0 : i32, stream_id = 0 : i32}
      aiex.control_packet {address = 1 : ui32, length = 3 : i32, opcode = 1 : i32, stream_id = 4 : i32}
    }
  }
}

// CHECK: aie.device(npu2) {
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %shim_noc_tile_0_0 = aie.tile(0, 0) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 4>}
// CHECK: aie.trace @core_trace(%tile_0_2) {
// CHECK: aie.trace.mode "Event-Time"
// CHECK: aie.trace.packet id = 1 type = core
// CHECK: aie.trace.event <"INSTR_EVENT_0"> label = "kernel_start"
// CHECK: aie.trace.event <"INSTR_VECTOR">
// CHECK: aie.trace.event <CoreEventAIE2P::LOCK_STALL>
// CHECK: aie.trace.port<0> port = North channel = 1 direction = S2MM
// CHECK: aie.trace.combo_event<0> <"INSTR_EVENT_0"> AND <"INSTR_VECTOR">
// CHECK: aie.trace.edge_event<0> event = <"LOCK_STALL"> trigger = RISING
// CHECK: aie.trace.start broadcast = 15
// CHECK: aie.trace.stop event = <"INSTR_EVENT_1">
// CHECK: aie.trace @m(%tile_0_2) {
// CHECK: aie.trace.mode "Event-PC"
// CHECK: aie.trace.packet id = 2 type = mem
// CHECK: aie.trace.start event = <"TRUE">
// CHECK: aie.trace.config @c(%tile_0_2) packet_type = core {
// CHECK: aie.trace.reg register = "Trace_Control0" field = "Mode" value = 0 : i32
// CHECK: aie.trace.reg register = "Trace_Control1" value = 4097 : i32
// CHECK: aie.trace.reg register = "Trace_Event0" value = -2 : i32
// CHECK: aie.trace.reg register = "Trace_Control0" value = 4 : i32 mask = 127 comment = "when it starts"
// CHECK: aie.runtime_sequence @seq(%arg0: memref<4xi32>) {
// CHECK: aie.trace.start_config @core_trace
// CHECK: aiex.control_packet {address = 126976 : ui32, data = array<i32: 1, 2>, opcode = 0 : i32, stream_id = 0 : i32}
// CHECK: aiex.control_packet {address = 1 : ui32, length = 3 : i32, opcode = 1 : i32, stream_id = 4 : i32}

// GENERIC: "aie.device"() <{device = 8 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 2 : i32}> : () -> index
// GENERIC: "aie.trace"(%0) <{sym_name = "core_trace"}> ({
// GENERIC: "aie.trace.mode"() <{mode = 0 : i32}> : () -> ()
// GENERIC: "aie.trace.packet"() <{id = 1 : i32, type = 0 : i32}> : () -> ()
// GENERIC: "aie.trace.event"() <{event = #aie.trace_event<"INSTR_EVENT_0">, label = "kernel_start"}> : () -> ()
// GENERIC: "aie.trace.port"() <{channel = 1 : i32, direction = 0 : i32, port = 5 : i32, slot = 0 : i32}> : () -> ()
// GENERIC: "aie.trace.combo_event"() <{eventA = #aie.trace_event<"INSTR_EVENT_0">, eventB = #aie.trace_event<"INSTR_VECTOR">, logic = 0 : i32, slot = 0 : i32}> : () -> ()
// GENERIC: "aie.trace.edge_event"() <{event = #aie.trace_event<"LOCK_STALL">, slot = 0 : i32, trigger = 1 : i32}> : () -> ()
// GENERIC: "aie.trace.start"() <{broadcast = 15 : i32}> : () -> ()
// GENERIC: "aie.trace.stop"() <{event = #aie.trace_event<"INSTR_EVENT_1">}> : () -> ()
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aie.trace.config"(%0) <{packet_type = 0 : i32, sym_name = "c"}> ({
// GENERIC: "aie.trace.reg"() <{field = "Mode", register = "Trace_Control0", value = 0 : ui32}> : () -> ()
// GENERIC: "aie.runtime_sequence"() <{sym_name = "seq"}> ({
// GENERIC: "aie.trace.start_config"() <{trace_config = @core_trace}> : () -> ()
// GENERIC: "aiex.control_packet"() <{address = 126976 : ui32, data = array<i32: 1, 2>, opcode = 0 : i32, stream_id = 0 : i32}> : () -> ()
