// RUN: allo-opt %s --aie-lower-dynamic-bd-pool | filecheck %s

// The BDs of a chain have numbers that the pool never gives out; a task of one BD beside it takes one of the others.

// CHECK: aie.runtime_sequence
// CHECK-NEXT: aiex.dma_bd_pool_pop(0, 0) : i32
// CHECK-NEXT: aiex.dma_bd_pool_pop(0, 0) : i32
// CHECK: scf.for
// CHECK: aiex.dma_configure_task(
// CHECK-NEXT: aie.dma_bd({{.*}}) {bd_id = 0 : i32}
// CHECK: aie.dma_bd({{.*}}) {bd_id = 1 : i32}
// CHECK: %[[OWN:.*]] = aiex.dma_bd_pool_pop(0, 0) : i32
// CHECK-NEXT: aiex.dma_configure_task_for @in bd_id %[[OWN]] : i32
// CHECK: aiex.dma_bd_pool_push(0, 0) bd_id %[[OWN]]
// CHECK-NOT: aiex.dma_bd_pool_push
aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @seq(%a : memref<1024xi32>, %n : index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %k = arith.index_cast %i : index to i32
      %x = aiex.dma_configure_task(%s, MM2S, 0) {
        aie.dma_bd(%a : memref<1024xi32> offset = 0 len = 32)
        aie.next_bd ^more
      ^more:
        aie.dma_bd(%a : memref<1024xi32> offset = %k len = 32)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%x)
      %y = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<1024xi32> offset = 64 len = 8)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%y)
      aiex.dma_await_task(%x)
      aiex.dma_await_task(%y)
    }
  }
}
