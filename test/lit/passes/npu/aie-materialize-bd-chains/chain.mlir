// RUN: allo-opt --syntax=2026-03 %s --aie-materialize-bd-chains | filecheck %s

// Arguments take the place of the chain's parameters; both forms of starting one.

// CHECK-NOT: aie.bd_chain
// CHECK: aie.runtime_sequence(%[[A:.*]]: memref<8xi32>, %[[B:.*]]: memref<8xi32>) {
// CHECK: %[[T:.*]] = aiex.dma_configure_task(%shim_noc_tile_0_0, MM2S, 0) {
// CHECK:   aie.dma_bd(%[[B]] : memref<8xi32>, 0, 4)
// CHECK:   aie.next_bd
// CHECK:   aie.dma_bd(%[[A]] : memref<8xi32>, 4, 4)
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T]])
// CHECK: aiex.dma_await_task(%[[T]])
// CHECK: %[[U:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aiex.dma_start_task(%[[U]])
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 3)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.bd_chain @c(%x: memref<8xi32>, %y: memref<8xi32>) {
    aie.dma_bd(%x : memref<8xi32>, 0, 4)
    aie.next_bd ^bb1
  ^bb1:
    aie.dma_bd(%y : memref<8xi32>, 4, 4)
    aie.end
  }
  aie.runtime_sequence(%a: memref<8xi32>, %b: memref<8xi32>) {
    %0 = aiex.dma_start_bd_chain @c(%b, %a) : (memref<8xi32>, memref<8xi32>) on (%s, MM2S, 0) {issue_token = true}
    aiex.dma_await_task(%0)
    %1 = aiex.dma_start_bd_chain_for @c(%b, %a) : (memref<8xi32>, memref<8xi32>) for @in
  }
}
