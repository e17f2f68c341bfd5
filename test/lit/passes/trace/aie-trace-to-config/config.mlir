// RUN: allo-opt %s --aie-trace-to-config | filecheck %s

// CHECK: aie.trace.config @core_trace_config(%tile_0_2) packet_type = core {
// CHECK-NEXT: aie.trace.reg register = "Stream_Switch_Event_Port_Selection_0" field = "Port_1_ID" value = 14
// CHECK-NEXT: aie.trace.reg register = "Stream_Switch_Event_Port_Selection_0" field = "Port_1_Master_Slave" value = 1
// CHECK-NEXT: aie.trace.reg register = "Timer_Control" field = "Reset_Event" value = 122
// CHECK-NEXT: aie.trace.reg register = "Combo_event_inputs" field = "eventC" value = 33
// CHECK-NEXT: aie.trace.reg register = "Combo_event_inputs" field = "eventD" value = 37
// CHECK-NEXT: aie.trace.reg register = "Combo_event_control" field = "combo1" value = 2
// CHECK-NEXT: aie.trace.reg register = "Edge_Detection_event_control" field = "Edge_Detection_Event_1" value = 26
// CHECK-NEXT: aie.trace.reg register = "Edge_Detection_event_control" field = "Edge_Detection_1_Trigger_Rising" value = 0
// CHECK-NEXT: aie.trace.reg register = "Edge_Detection_event_control" field = "Edge_Detection_1_Trigger_Falling" value = 1
// CHECK-NEXT: aie.trace.reg register = "Trace_Event0" field = "Trace_Event0" value = 75
// CHECK-NEXT: aie.trace.reg register = "Trace_Control1" field = "ID" value = 5
// CHECK-NEXT: aie.trace.reg register = "Trace_Control1" field = "Packet_Type" value = 0
// CHECK-NEXT: aie.trace.reg register = "Trace_Control0" field = "Mode" value = 0
// CHECK-NEXT: aie.trace.reg register = "Trace_Control0" field = "Trace_Start_Event" value = 122
// CHECK-NEXT: aie.trace.reg register = "Trace_Control0" field = "Trace_Stop_Event" value = 34
// CHECK-NEXT: }
// CHECK: aie.trace.config @shim_trace_config(%{{.*}}) packet_type = shimtile {
// CHECK-NEXT: "Trace_Event0" value = 14
// CHECK-NEXT: "Trace_Event1" value = 125
// CHECK-NEXT: "Mode" value = 0
// CHECK-NEXT: "Trace_Start_Event" value = 127
// CHECK: aie.trace.config @memory_config(%tile_0_2) packet_type = mem {
// CHECK-NEXT: "Trace_Event0" value = 37
// CHECK: aie.trace.config @memtile_config_0(%{{.*}}) packet_type = memtile {
// CHECK-NEXT: "Trace_Event0" value = 28
// CHECK: aie.trace.start_config @core_trace_config
// CHECK-NEXT: aie.trace.start_config @memtile_config_0
aie.device(npu2_1col) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  aie.trace @core_trace(%t) {
    aie.trace.packet id = 5 type = core
    aie.trace.event <CoreEventAIE2P::PORT_RUNNING_0>
    aie.trace.port<1> port = North channel = 1 direction = S2MM
    aie.trace.combo_event<1> <"INSTR_EVENT_0"> OR <"INSTR_VECTOR">
    aie.trace.edge_event<1> event = <"LOCK_STALL"> trigger = FALLING
    aie.trace.start broadcast = 15
    aie.trace.stop event = <"INSTR_EVENT_1">
  }
  aie.trace @shim_trace(%s) {
    aie.trace.event <"DMA_S2MM_0_START_TASK">
    aie.trace.event <"BROADCAST_A_15">
    aie.trace.start event = <"USER_EVENT_1">
  }
  aie.trace @memory(%t) {
    aie.trace.packet id = 6 type = mem
    aie.trace.event <"DMA_MM2S_0_STREAM_BACKPRESSURE">
  }
  aie.trace @memtile(%m) {
    aie.trace.event <"DMA_MM2S_SEL1_FINISHED_BD">
  }
  // The name of a configuration is free, or gets a number.
  memref.global @memtile_config : memref<4xi32>
  aie.runtime_sequence(%a: memref<4xi32>) {
    aie.trace.start_config @core_trace
    aie.trace.start_config @memtile
  }
}
