// RUN: allo-opt %s --airrt-to-npu=order=planned | filecheck %s

// The second launch starts when the first has ended: its output is waited for, and its input, whose BD is used again.
// CHECK: aie.runtime_sequence @two
// CHECK: %[[IN:.*]] = aiex.dma_configure_task_for @in
// CHECK: %[[OUT:.*]] = aiex.dma_configure_task_for @out
// CHECK: aiex.dma_await_task(%[[OUT]])
// CHECK-NEXT: aiex.dma_await_task(%[[IN]])
// CHECK-NEXT: %[[AGAIN:.*]] = aiex.dma_configure_task_for @in
// CHECK: aiex.dma_await_task(%[[AGAIN]])
// CHECK-NEXT: }

// A wait in the middle keeps the order of transfers that meet in memory, round by round.
// CHECK: aie.runtime_sequence @in_between
// CHECK: %[[W:.*]] = aiex.dma_configure_task_for @out
// CHECK: aiex.dma_start_task(%[[W]])
// CHECK-NEXT: aiex.dma_await_task(%[[W]])
// CHECK-NEXT: aiex.dma_configure_task_for @in
// CHECK: aiex.dma_configure_task_for @out
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
}
func.func @two(%a: memref<64xi32>, %b: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %i = 0 to 1 {
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %e, %f {air.launch = 0 : i32, air.launch_end}
  }
  affine.for %i = 0 to 1 {
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %e {air.launch = 1 : i32, air.launch_end}
  }
  return
}
func.func @in_between(%a: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %i = 0 to 2 {
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %f
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %e, %f {air.launch = 0 : i32, air.launch_end}
  }
  return
}
