// RUN: allo-opt %s --aie-decompose-large-dma-bd | filecheck %s

// BDs of tasks: a free dimension takes a factor, pieces become a chain, and the outermost of four stays the iteration.

// CHECK: aie.dma_bd(%{{.*}} offset = 8 len = 2048 sizes = [4, 512] strides = [1024, 2])
// CHECK-NEXT: aie.end
// CHECK: aie.dma_bd(%{{.*}} offset = 0 len = 4096 sizes = [2, 4, 512] strides = [8192, 1024, 2])
// CHECK: aie.dma_bd(%{{.*}} offset = 0 len = 2046 sizes = [1023, 2] strides = [4, 1]) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>}
// CHECK: aie.dma_bd(%{{.*}} offset = 4092 len = 952 sizes = [476, 2] strides = [4, 1]) {packet
// CHECK: aie.dma_bd(%{{.*}} offset = 5 len = 2046 sizes = [1023, 2] strides = [4, 1]) {packet
// CHECK: aie.dma_bd(%{{.*}} offset = 4097 len = 952 sizes = [476, 2] strides = [4, 1]) {packet
// CHECK-NEXT: aie.end
// CHECK: aie.dma_bd(%{{.*}} offset = 0 len = 2046 sizes = [2, 1, 1023, 2] strides = [6000, 0, 4, 1])
// CHECK-NEXT: aie.next_bd ^[[NEXT:.*]]
// CHECK: ^[[NEXT]]:
// CHECK: aie.dma_bd(%{{.*}} offset = 4092 len = 952 sizes = [2, 1, 476, 2] strides = [6000, 0, 4, 1])
aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @seq(%a : memref<65536xi32>) {
    %t = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<65536xi32> offset = 8 len = 2048 sizes = [2048] strides = [2])
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%t)
    aiex.dma_await_task(%t)
    %u = aiex.dma_configure_task(%s, MM2S, 0) {
      aie.dma_bd(%a : memref<65536xi32> offset = 0 len = 4096 sizes = [2, 2048] strides = [8192, 2])
      aie.next_bd ^second
    ^second:
      aie.dma_bd(%a : memref<65536xi32> offset = 0 len = 2998 sizes = [2, 1499, 2] strides = [5, 4, 1]) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>}
      aie.end
    } {issue_token = true, repeat_count = 1 : i32}
    aiex.dma_start_task(%u)
    aiex.dma_await_task(%u)
    %v = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<65536xi32> offset = 0 len = 2998 sizes = [2, 1, 1499, 2] strides = [6000, 0, 4, 1])
      aie.end
    } {issue_token = true, repeat_count = 1 : i32}
    aiex.dma_start_task(%v)
    aiex.dma_await_task(%v)
  }
}
