// RUN: allo-opt %s --aie-assign-runtime-sequence-bd-ids | filecheck %s
// RUN: sed 's/aiex.dma_start_task(%u)/scf.if %b { aiex.npu.write32 {address = 0 : ui32, value = 0 : ui32} } aiex.dma_start_task(%u)/; s/8192xi32>) {/8192xi32>, %b: i1) {/' %s | allo-opt --aie-assign-runtime-sequence-bd-ids | filecheck %s
// RUN: allo-opt %s --aie-dma-tasks-to-npu | filecheck %s --check-prefix=NPU

// A task may be started twice and awaited twice; its BD is free after the second await, and not before, with other
// steps under a condition, too.
// CHECK: offset = 0 len = 64) {bd_id = 0 : i32}
// CHECK: offset = 64 len = 64) {bd_id = 1 : i32}
// CHECK: offset = 128 len = 64) {bd_id = 0 : i32}
// NPU-COUNT-2: aiex.npu.push_queue(0, 0, MM2S : 0) bd_id %c0_i32
// NPU: aiex.npu.push_queue(0, 0, MM2S : 0) bd_id %c1_i32
// NPU-COUNT-2: aiex.npu.sync
// NPU: aiex.npu.push_queue(0, 0, MM2S : 0) bd_id %c0_i32
aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @q(%a: memref<8192xi32>) {
    %t = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<8192xi32> offset = 0 len = 64)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%t)
    aiex.dma_start_task(%t)
    aiex.dma_await_task(%t)
    %u = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<8192xi32> offset = 64 len = 64)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%u)
    aiex.dma_await_task(%t)
    aiex.dma_await_task(%u)
    %v = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<8192xi32> offset = 128 len = 64)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%v)
    aiex.dma_await_task(%v)
  }
}
