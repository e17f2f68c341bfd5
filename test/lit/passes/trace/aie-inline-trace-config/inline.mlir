// RUN: allo-opt --syntax=2026-03 %s --aie-inline-trace-config | filecheck %s

// A field is a masked write, a register a plain one; memtiles have theirs at 0x94000, ports at 0xB0F00.

// CHECK-NOT: trace.config
// CHECK: aie.runtime_sequence @seq
// CHECK-NEXT: aiex.npu.write32 {address = 724736 : ui32, column = 0 : i32, row = 1 : i32, value = 33 : ui32}
// CHECK-NEXT: aiex.npu.maskwrite32 {address = 606416 : ui32, column = 0 : i32, mask = 16711680 : ui32, row = 1 : i32, value = 10289152 : ui32}
// CHECK-NEXT: }
// CHECK: aie.runtime_sequence @again
// CHECK-NEXT: aiex.npu.write32
aie.device(npu1_1col) {
  %t = aie.tile(0, 1)
  aie.trace.config @a(%t) packet_type = memtile {
    aie.trace.reg register = "Stream_Switch_Event_Port_Selection_0" value = 33
    aie.trace.reg register = "Trace_Control0" field = "Trace_Start_Event" value = 157
  }
  aie.runtime_sequence @seq(%x: memref<8xi32>) {
    aie.trace.start_config @a
  }
  aie.runtime_sequence @again(%x: memref<8xi32>) {
    aie.trace.start_config @a
  }
}
