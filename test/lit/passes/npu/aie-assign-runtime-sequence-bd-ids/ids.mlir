// RUN: allo-opt --syntax=2026-03 %s --aie-assign-runtime-sequence-bd-ids | filecheck %s

// Lowest free first; a number given by hand is left out, also by its own task, those of a task that was awaited are free again.

// CHECK: aie.dma_bd(%arg0 : memref<8xi32>, 0, 8) {bd_id = 0 : i32}
// CHECK: aie.dma_bd(%arg0 : memref<8xi32>, 0, 4) {bd_id = 1 : i32}
// CHECK: aiex.dma_await_task
// CHECK: aie.dma_bd(%arg0 : memref<8xi32>, 4, 4) {bd_id = 2 : i32}
// CHECK: aie.dma_bd(%arg0 : memref<8xi32>, 0, 4) {bd_id = 0 : i32}
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 3)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.runtime_sequence(%a: memref<8xi32>) {
    %0 = aiex.dma_configure_task_for @out {
      aie.dma_bd(%a : memref<8xi32>, 0, 8)
      aie.end
    } {issue_token = true}
    %1 = aiex.dma_configure_task(%s, MM2S, 0) {
      aie.dma_bd(%a : memref<8xi32>, 0, 4)
      aie.end
    }
    aiex.dma_start_task(%0)
    aiex.dma_await_task(%0)
    %2 = aiex.dma_configure_task(%s, MM2S, 1) {
      aie.dma_bd(%a : memref<8xi32>, 4, 4)
      aie.next_bd ^last
    ^last:
      aie.dma_bd(%a : memref<8xi32>, 0, 4) {bd_id = 0 : i32}
      aie.end
    }
  }
}
