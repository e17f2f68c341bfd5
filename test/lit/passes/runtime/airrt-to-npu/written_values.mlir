// RUN: allo-opt %s --airrt-to-npu | filecheck %s

// Offsets, sizes and parameters of the run.

// CHECK: aie.runtime_sequence @offset(%[[ARG0:.*]]: memref<4096xi32>, %[[ARG1:.*]]: i64) {
// CHECK: %[[T0:.*]] = arith.trunci %[[ARG1]] : i64 to i32
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<4096xi32> offset = %[[T0]] len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[C64_I64:.*]] = arith.constant 64 : i64
// CHECK: %[[T2:.*]] = arith.muli %[[ARG1]], %[[C64_I64]] : i64
// CHECK: %[[C8_I64:.*]] = arith.constant 8 : i64
// CHECK: %[[T3:.*]] = arith.addi %[[T2]], %[[C8_I64]] : i64
// CHECK: %[[T4:.*]] = arith.trunci %[[T3]] : i64 to i32
// CHECK: %[[T5:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<4096xi32> offset = %[[T4]] len = 64 sizes = [4, 16] strides = [64, 1])
// CHECK: aiex.dma_start_task(%[[T5]])
// CHECK: aiex.dma_free_task(%[[T1]])
// CHECK: aiex.dma_free_task(%[[T5]])
// CHECK: aie.runtime_sequence @size(%[[ARG0:.*]]: memref<4096xi32>, %[[ARG1:.*]]: i64) {
// CHECK: %[[T0:.*]] = arith.trunci %[[ARG1]] : i64 to i32
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<4096xi32> offset = 0 len = %[[T0]])
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[C64_I64:.*]] = arith.constant 64 : i64
// CHECK: %[[T2:.*]] = arith.muli %[[ARG1]], %[[C64_I64]] : i64
// CHECK: %[[T3:.*]] = arith.trunci %[[T2]] : i64 to i32
// CHECK: %[[T4:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<4096xi32> offset = 0 len = %[[T3]])
// CHECK: aiex.dma_start_task(%[[T4]])
// CHECK: %[[C1_I32:.*]] = arith.constant 1 : i32
// CHECK: %[[T5:.*]] = arith.trunci %[[ARG1]] : i64 to i32
// CHECK: %[[T6:.*]] = arith.subi %[[T5]], %[[C1_I32]] : i32
// CHECK: %[[T7:.*]] = aiex.dma_configure_task_for @in repeat %[[T6]] : i32 {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<4096xi32> offset = 0 len = 64 sizes = [4, 16] strides = [64, 1])
// CHECK: aiex.dma_start_task(%[[T7]])
// CHECK: aiex.dma_free_task(%[[T1]])
// CHECK: aiex.dma_free_task(%[[T4]])
// CHECK: aiex.dma_free_task(%[[T7]])
// CHECK: aie.runtime_sequence @both(%[[ARG0:.*]]: memref<4096xi32>, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: index, %[[ARG3:.*]]: i32) {
// CHECK: %[[T0:.*]] = arith.index_cast %[[ARG2]] : index to i32
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, %[[T0]]) : i32
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 1, %[[ARG3]]) : i32
// CHECK: %[[C7_I32:.*]] = arith.constant 7 : i32
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 2, %[[C7_I32]]) : i32
// CHECK: %[[T1:.*]] = arith.trunci %[[ARG1]] : i64 to i32
// CHECK: %[[T2:.*]] = arith.trunci %[[ARG1]] : i64 to i32
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<4096xi32> offset = %[[T1]] len = %[[T2]])
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: aiex.dma_free_task(%[[T3]])

aie.device(npu2) @seg {
  %sh = aie.logical_tile<ShimNOCTile>(0, ?)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
  %t = aie.tile(0, 2)
  %rtp = aie.buffer(%t) {sym_name = "__air_herd_rtp_0_2"} : memref<3xi32, 2>
  aie.core(%t) {
    aie.end
  } {air.herd_local_id = array<i64: 0, 0>, air.herd_name = "h", air.herd_size = array<i64: 1, 1>}
}
// One offset of the run; where the others begin is added to it.
func.func @offset(%m: memref<4096xi32>, %n: i64) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %0 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, %n], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
  %1 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %n, 8], [1, 1, 4, 16], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
  return
}
// One size of the run: the length where all is contiguous, or how often the whole repeats.
func.func @size(%m: memref<4096xi32>, %n: i64) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %0 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, %n], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
  %1 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, %n, 4, 16], [0, 64, 16, 1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
  %2 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [%n, 1, 4, 16], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
  return
}
// Both, and what the cores are passed.
func.func @both(%m: memref<4096xi32>, %n: i64, %k: index, %w: i32) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %seven = arith.constant 7 : i32
  %0 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, %n], [1, 1, 1, %n], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
  %h = airrt.herd_load "h" (%k, %w, %seven) {segment_name = "seg"} : (index, i32, i32) -> i64
  return
}
