// RUN: allo-opt --syntax=2026-03 %s --aie-insert-trace-flows | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --aie-insert-trace-flows='shim-channel=0 arg-idx=4 buffer-size=8192' | filecheck %s --check-prefix=GIVEN

// S2MM 1 of shim (0, 0) is taken by a flow, S2MM 0 by another: the next column's is used. Id 1 is taken, id 3 given.

// CHECK: aie.trace @core_trace
// CHECK-NEXT: aie.trace.packet id = 2 type = core
// CHECK: aie.trace.start_config @mt
// CHECK-NEXT: aiex.npu.writebd {bd_id = 15 : i32, buffer_length = 16384 : i32, {{.*}} column = 1 : i32,
// CHECK-NEXT: aiex.npu.address_patch {addr = 33673700 : ui32, arg_idx = 1 : i32, arg_plus = 0 : i32}
// CHECK-NEXT: aiex.npu.push_queue(1, 0, S2MM : 1) {bd_id = 15 : i32, issue_token = false, repeat_count = 0 : i32}
// CHECK-NEXT: aiex.npu.write32 {address = 213068 : ui32, column = 1 : i32, row = 0 : i32, value = 127 : ui32}
// CHECK-NEXT: aiex.npu.write32 {address = 213064 : ui32, column = 1 : i32, row = 0 : i32, value = 126 : ui32}
// CHECK-NEXT: aiex.npu.write32 {address = 213000 : ui32, column = 1 : i32, row = 0 : i32, value = 127 : ui32}
// CHECK-NEXT: aiex.npu.dma_wait
// CHECK-NEXT: aiex.npu.write32 {address = 213000 : ui32, column = 1 : i32, row = 0 : i32, value = 126 : ui32}
// CHECK-NEXT: }
// CHECK: aie.packet_flow(2) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, Trace : 0>
// CHECK-NEXT: aie.packet_dest<%{{.*}}_1_0, DMA : 1>
// CHECK-NEXT: } {keep_pkt_header = true}
// CHECK: aie.packet_flow(3) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, Trace : 1>

// GIVEN: buffer_length = 2048
// GIVEN: arg_idx = 4
// GIVEN: push_queue(1, 0, S2MM : 0)
aie.device(npu1_2col) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  aie.packet_flow(1) {
    aie.packet_source<%t, DMA : 0>
    aie.packet_dest<%s, DMA : 0>
  }
  aie.flow(%t, DMA : 1, %s, DMA : 1)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.trace @core_trace(%t) {
    aie.trace.event <"INSTR_EVENT_0">
    aie.trace.start broadcast = 15
    aie.trace.stop broadcast = 14
  }
  aie.trace @mt(%t) {
    aie.trace.packet id = 3 type = mem
    aie.trace.event <"DMA_S2MM_0_START_TASK">
    aie.trace.start broadcast = 15
    aie.trace.stop broadcast = 14
  }
  aie.runtime_sequence @seq(%a: memref<8xi32>) {
    aie.trace.start_config @core_trace
    aie.trace.start_config @mt
    aiex.npu.dma_wait {symbol = @out}
  }
}
