// RUN: allo-opt %s --airrt-to-npu | filecheck %s
// RUN: allo-opt %s --airrt-to-npu=unroll-loops | filecheck %s --check-prefix=OUT

// Loops stay, but those that no sequence can have.

// CHECK: aie.runtime_sequence @rolled(%[[ARG0:.*]]: memref<256xi32>) {
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: scf.for %[[ARG1:.*]] = %[[C0]] to %[[C4]] step %[[C1]] {
// CHECK: %[[T0:.*]] = arith.index_cast %[[ARG1]] : index to i64
// CHECK: %[[C64_I64:.*]] = arith.constant 64 : i64
// CHECK: %[[T1:.*]] = arith.muli %[[T0]], %[[C64_I64]] : i64
// CHECK: %[[T2:.*]] = arith.trunci %[[T1]] : i64 to i32
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = %[[T2]] len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: aie.runtime_sequence @run_time(%[[ARG0:.*]]: memref<256xi32>, %[[ARG1:.*]]: index) {
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: scf.for %[[ARG2:.*]] = %[[C0]] to %[[ARG1]] step %[[C1]] {
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 64 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: aiex.dma_free_task(%[[T0]])
// CHECK: aiex.dma_await_task(%[[T1]])
// CHECK: aie.runtime_sequence @behind(%[[ARG0:.*]]: memref<256xi32>) {
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 64 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 128 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 192 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: aiex.dma_await_task(%[[T0]])
// CHECK: aiex.dma_await_task(%[[T1]])
// CHECK: aiex.dma_free_task(%[[T2]])
// CHECK: aiex.dma_free_task(%[[T3]])

// OUT-LABEL: @rolled
// OUT-NOT: scf.for
// OUT: offset = 0 len
// OUT: offset = 64 len
// OUT: offset = 128 len
// OUT: offset = 192 len
// OUT-LABEL: @run_time
// OUT: scf.for

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
  aie.shim_dma_allocation @out(%sh, S2MM, 0)
}
// A loop stays; what it hands on of events goes.
func.func @rolled(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = airrt.wait_all : !airrt.event
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%e = %t) -> (!airrt.event) {
    %k = arith.index_cast %i : index to i64
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 64], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
    scf.yield %f : !airrt.event
  }
  airrt.wait_all %last
  return
}
// So does one whose end only the run knows.
func.func @run_time(%m: memref<256xi32>, %n: index) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 64], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<256xi32>) : !airrt.event
    airrt.wait_all %e, %f {air.launch_end}
  }
  return
}
// An output that is waited for after its loop is known there only if the loop is written out; affine loops are.
func.func @behind(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = airrt.wait_all : !airrt.event
  %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%e = %t) -> (!airrt.event) {
    %k = arith.index_cast %i : index to i64
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 64], [0, 0, 64, 1]) {metadata = @out} : (i32, i64, i64, memref<256xi32>) : !airrt.event
    scf.yield %f : !airrt.event
  }
  affine.for %i = 2 to 4 {
    %k = arith.index_cast %i : index to i64
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 64], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  }
  airrt.wait_all %last
  return
}
