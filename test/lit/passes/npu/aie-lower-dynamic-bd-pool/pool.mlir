// RUN: allo-opt %s --aie-lower-dynamic-bd-pool | filecheck %s

// Loops that carry a task carry the number of its BD; sequences without such loops stay as they are.
// CHECK-LABEL: aie.runtime_sequence @carried
// CHECK: %[[FIRST:.*]] = aiex.dma_bd_pool_pop(0, 0) : i32
// CHECK: aiex.dma_configure_task(%shim_noc_tile_0_0, MM2S, 0) bd_id %[[FIRST]] : i32 {
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[TASK:.*]] = %{{.*}}, %[[ID:.*]] = %[[FIRST]]) -> (index, i32) {
// CHECK: %[[NEXT:.*]] = aiex.dma_bd_pool_pop(0, 0) : i32
// CHECK: aiex.dma_await_task(%[[TASK]])
// CHECK-NEXT: aiex.dma_bd_pool_push(0, 0) bd_id %[[ID]]
// CHECK: scf.yield %{{.*}}, %[[NEXT]] : index, i32
// CHECK: aiex.dma_await_task(%[[LOOP]]#0)
// CHECK-NEXT: aiex.dma_bd_pool_push(0, 0) bd_id %[[LOOP]]#1
// CHECK-LABEL: aie.runtime_sequence @flat
// CHECK-NOT: pool
aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.runtime_sequence @carried(%a : memref<64xi32>, %n : index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = aiex.dma_configure_task(%s, MM2S, 0) {
      aie.dma_bd(%a : memref<64xi32>)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%first)
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %first) -> (index) {
      %x = aiex.dma_configure_task(%s, MM2S, 0) {
        aie.dma_bd(%a : memref<64xi32>)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%x)
      aiex.dma_await_task(%prev)
      scf.yield %x : index
    }
    aiex.dma_await_task(%last)
  }
  aie.runtime_sequence @flat(%a : memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %x = aiex.dma_configure_task(%s, MM2S, 0) {
        aie.dma_bd(%a : memref<64xi32>)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%x)
      aiex.dma_await_task(%x)
    }
  }
}
