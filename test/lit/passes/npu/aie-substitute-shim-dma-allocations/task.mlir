// RUN: allo-opt --syntax=2026-03 %s --aie-substitute-shim-dma-allocations | filecheck %s

// CHECK: %[[T:.*]] = aiex.dma_configure_task(%shim_noc_tile_0_0, S2MM, 1) {
// CHECK:   aie.dma_bd(%{{.*}} : memref<8xi32>, 0, 8)
// CHECK: } {issue_token = true, repeat_count = 2 : i32}
// CHECK: aiex.dma_start_task(%[[T]])
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
    } {issue_token = true, repeat_count = 2 : i32}
    aiex.dma_start_task(%0)
  }
}
