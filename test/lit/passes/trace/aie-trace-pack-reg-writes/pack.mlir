// RUN: allo-opt %s --aie-trace-pack-reg-writes | filecheck %s

// 121 << 24 | 122 << 16, and event 37 in the third slot's byte; a whole register stays.

// CHECK: packet_type = core {
// CHECK-NEXT: aie.trace.reg register = "Trace_Event0" value = 2424833
// CHECK-NEXT: aie.trace.reg register = "Trace_Control1" value = 4097
// CHECK-NEXT: aie.trace.reg register = "Trace_Control0" value = 2038038528
// CHECK-NEXT: }
aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace.config @a(%t) packet_type = core {
    aie.trace.reg register = "Trace_Event0" field = "Trace_Event2" value = 37
    aie.trace.reg register = "Trace_Event0" field = "Trace_Event0" value = 1
    aie.trace.reg register = "Trace_Control1" value = 4097
    aie.trace.reg register = "Trace_Control0" field = "Trace_Start_Event" value = 122
    aie.trace.reg register = "Trace_Control0" field = "Trace_Stop_Event" value = 121
  }
}
