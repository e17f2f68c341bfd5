// RUN: allo-opt --syntax=2026-03 %s --aie-insert-trace-flows | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --aie-insert-trace-flows='packet-id-start=4 default-bd-id=13 shim-channel=0 distribute-channels' | filecheck %s --check-prefix=OPTIONS

// The buffer is one more argument, the shim that of the column asked for, ids follow the tiles.
// CHECK: aie.trace @upper
// CHECK: aie.trace.packet id = 2 type = core
// CHECK: aie.trace @lower
// CHECK: aie.trace.packet id = 1 type = core
// CHECK: aie.runtime_sequence @seq(%arg0: memref<8xi32>, %arg1: i64, %arg2: memref<8192xi8>)
// CHECK-NOT: host_config
// CHECK: aiex.npu.writebd {bd_id = 15 : i32, buffer_length = 2048 : i32, {{.*}}burst_length = 64 : i32, column = 1 : i32
// CHECK-NEXT: aiex.npu.address_patch {addr = 33673700 : ui32, arg_idx = 1 : i32, arg_plus = 0 : i32}
// CHECK-NEXT: aiex.npu.push_queue(1, 0, S2MM : 1)
// CHECK: aie.runtime_sequence @reuses(%arg0: memref<8xi32>)
// CHECK: aiex.npu.address_patch {addr = 33673700 : ui32, arg_idx = 0 : i32, arg_plus = 32 : i32}

// OPTIONS: aie.trace.packet id = 5 type = core
// OPTIONS: aie.trace.packet id = 4 type = core
// OPTIONS: aiex.npu.writebd {bd_id = 13 : i32, buffer_length = 1024 : i32
// OPTIONS: aiex.npu.push_queue(1, 0, S2MM : 0)
// OPTIONS: aiex.npu.writebd {bd_id = 12 : i32, buffer_length = 1024 : i32
// OPTIONS: aiex.npu.push_queue(1, 0, S2MM : 1)
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.trace @upper(%u) {
    aie.trace.packet type=core
    aie.trace.event <"INSTR_EVENT_0">
    aie.trace.start broadcast = 15
  }
  aie.trace @lower(%t) {
    aie.trace.event <"INSTR_EVENT_0">
    aie.trace.start broadcast = 15
  }
  aie.runtime_sequence @seq(%a: memref<8xi32>, %n: i64) {
    aie.trace.host_config {buffer_size = 8192 : i32, egress_shim_col = 1 : i32}
    aie.trace.start_config @upper
    aie.trace.start_config @lower
  }
  aie.runtime_sequence @reuses(%a: memref<8xi32>) {
    aie.trace.host_config {buffer_size = 4096 : i32, egress_shim_col = 1 : i32, reuse_output_buffer = true}
    aie.trace.start_config @lower
  }
}
