// RUN: allo-opt %s --airrt-to-npu | filecheck %s

// Loops of a launch go side by side: what the first waits for may need what the second sends. Rows of two channels are read and
// written back, each in two rounds; all inputs of a round start before one of them is waited for, and what the third loop
// sends all along starts first. Nobody waits for rows that are written, as nobody reads these any more.
// CHECK: aie.runtime_sequence @rows
// CHECK:      aiex.dma_configure_task_for @all
// CHECK:      %[[X:.*]] = aiex.dma_configure_task_for @in0
// CHECK:      %[[Y:.*]] = aiex.dma_configure_task_for @in1
// CHECK-DAG:  aiex.dma_await_task(%[[X]])
// CHECK-DAG:  aiex.dma_await_task(%[[Y]])
// CHECK-NEXT: %[[U:.*]] = aiex.dma_configure_task_for @in0
// CHECK:      %[[V:.*]] = aiex.dma_configure_task_for @in1
// CHECK:      aiex.dma_configure_task_for @out0
// CHECK:      aiex.dma_configure_task_for @out1
// CHECK-DAG:  aiex.dma_await_task(%[[U]])
// CHECK-DAG:  aiex.dma_await_task(%[[V]])
// CHECK-NEXT: aiex.dma_configure_task_for @out0
// CHECK:      aiex.dma_configure_task_for @out1

// Where the second touches what the first writes, it follows.
// CHECK: aie.runtime_sequence @meet
// CHECK:      aiex.dma_configure_task_for @in0
// CHECK:      %[[V:.*]] = aiex.dma_configure_task_for @out0
// CHECK:      aiex.dma_await_task(%[[V]])
// CHECK:      aiex.dma_configure_task_for @in1
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  %u = aie.tile(1, 0)
  aie.shim_dma_allocation @in0(%t, MM2S, 0)
  aie.shim_dma_allocation @in1(%t, MM2S, 1)
  aie.shim_dma_allocation @all(%u, MM2S, 0)
  aie.shim_dma_allocation @out0(%t, S2MM, 0)
  aie.shim_dma_allocation @out1(%t, S2MM, 1)
}
func.func @rows(%a: memref<4x64xi32>, %b: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c64 = arith.constant 64 : i64
  affine.for %launch = 0 to 1 {
    affine.for %i = 0 to 2 {
      %r = arith.index_cast %i : index to i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @in0} : (i32, i64, i64, memref<4x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @out0} : (i32, i64, i64, memref<4x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %f
    }
    affine.for %i = 0 to 2 {
      %k = arith.index_cast %i : index to i64
      %r = arith.addi %k, %c2 : i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @in1} : (i32, i64, i64, memref<4x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @out1} : (i32, i64, i64, memref<4x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %f
    }
    affine.for %i = 0 to 2 {
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @all} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    }
    airrt.wait_all {air.launch = 0 : i32, air.launch_end}
  }
  return
}
func.func @meet(%a: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %launch = 0 to 1 {
    affine.for %i = 0 to 1 {
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in0} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @out0} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %f
    }
    affine.for %i = 0 to 1 {
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in1} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    }
    airrt.wait_all {air.launch = 0 : i32, air.launch_end}
  }
  return
}
