// RUN: allo-opt --syntax=2026-03 %s --aie-dma-tasks-to-npu | filecheck %s

// CHECK-NOT: task
// CHECK: aiex.npu.writebd {bd_id = 7 : i32, buffer_length = 8 : i32
// CHECK-SAME: d0_size = 2 : i32, d0_stride = 3 : i32
// CHECK-SAME: d1_size = 4 : i32
// CHECK: aiex.npu.address_patch {addr = 119012 : ui32, arg_idx = 0 : i32, arg_plus = 8 : i32}
// CHECK: aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 7 : i32, issue_token = true, repeat_count = 2 : i32}
// CHECK: aiex.npu.sync {channel = 1 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
// CHECK-NOT: task
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 3)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.runtime_sequence(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @out {
      aie.dma_bd(%a : memref<64xi32>, 2, 8, [<size = 4, stride = 16>, <size = 2, stride = 4>]) {bd_id = 7 : i32}
      aie.end
    } {issue_token = true, repeat_count = 2 : i32}
    aiex.dma_start_task(%0)
    aiex.dma_await_task(%0)
  }
}
