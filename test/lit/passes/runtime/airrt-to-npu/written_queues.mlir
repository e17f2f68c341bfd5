// RUN: allo-opt %s --airrt-to-npu --split-input-file | filecheck %s

// Outputs between inputs do not make room in a queue: the fifth input waits for the first, in the order of the program.

// CHECK-LABEL: aie.runtime_sequence @between
// CHECK: %[[FIRST:.*]] = aiex.dma_configure_task_for @in
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[FIRST]])
// CHECK-COUNT-4: aiex.dma_configure_task_for @out
// CHECK: %[[FIFTH:.*]] = aiex.dma_configure_task_for @in
// CHECK: aiex.dma_await_task(%[[FIRST]])
// CHECK: aiex.dma_start_task(%[[FIFTH]])
// CHECK-NOT: aiex.dma_free_task(%[[FIRST]])
aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
  aie.shim_dma_allocation @out(%sh, S2MM, 0)
}
func.func @between(%a: memref<512xi32>, %b: memref<512xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 5 {
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<512xi32>) : !airrt.event
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %b[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  }
  airrt.wait_all {air.launch_end}
  return
}

// -----

// A loop of constant bounds that starts more than the queue holds is written out; the output after it goes first.

// CHECK-LABEL: aie.runtime_sequence @behind
// CHECK-NOT: scf.for
// CHECK: %[[OUT:.*]] = aiex.dma_configure_task_for @out
// CHECK: aiex.dma_start_task(%[[OUT]])
// CHECK: %[[FIRST:.*]] = aiex.dma_configure_task_for @in
// CHECK: aiex.dma_await_task(%[[FIRST]])
// CHECK: aiex.dma_await_task(%[[OUT]])
aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
  aie.shim_dma_allocation @out(%sh, S2MM, 0)
}
func.func @behind(%a: memref<512xi32>, %b: memref<512xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  }
  %f = airrt.dma_memcpy_nd(%id, %z, %z, %b[0, 0, 0, 0], [1, 1, 1, 96], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  airrt.wait_all %f {air.launch_end}
  return
}

// -----

// Where the output goes to what is read, it stays after; four inputs are not paced.

// CHECK-LABEL: aie.runtime_sequence @four
// CHECK-COUNT-4: aiex.dma_start_task
// CHECK-NOT: aiex.dma_await_task
// CHECK: aiex.dma_configure_task_for @out
aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
  aie.shim_dma_allocation @out(%sh, S2MM, 0)
}
func.func @four(%a: memref<512xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 4 {
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  }
  %f = airrt.dma_memcpy_nd(%id, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  airrt.wait_all %f {air.launch_end}
  return
}
