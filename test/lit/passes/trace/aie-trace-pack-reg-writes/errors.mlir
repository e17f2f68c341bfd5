// RUN: allo-opt %s --split-input-file --aie-trace-pack-reg-writes --verify-diagnostics

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace.config @a(%t) packet_type = mem {
    // expected-error@+1 {{sets register Stream_Switch_Event_Port_Selection_0, which module mem does not have}}
    aie.trace.reg register = "Stream_Switch_Event_Port_Selection_0" value = 1
  }
}

// -----

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace.config @a(%t) packet_type = core {
    // expected-error@+1 {{sets field Start of Trace_Control0, which has Mode, Trace_Start_Event, Trace_Stop_Event}}
    aie.trace.reg register = "Trace_Control0" field = "Start" value = 1
  }
}

// -----

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace.config @a(%t) packet_type = core {
    // expected-error@+1 {{sets Trace_Control0.Mode to 4, which has 2 bits}}
    aie.trace.reg register = "Trace_Control0" field = "Mode" value = 4
  }
}
