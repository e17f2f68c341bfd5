// RUN: allo-opt %s --airrt-to-npu 2>/dev/null | filecheck %s

// Branches and loops of the run stay without the events that they hand on; outputs in them are waited for there.

// CHECK: aie.runtime_sequence @f(%[[ARG0:.*]]: memref<64xi32>, %[[ARG1:.*]]: i1, %[[ARG2:.*]]: index, %[[ARG3:.*]]: i64) {
// CHECK: scf.if %[[ARG1]] {
// CHECK: %[[T1:.*]] = arith.trunci %[[ARG3]] : i64 to i32
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, %[[T1]]) : i32
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<64xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: aiex.dma_free_task(%[[T2]])
// CHECK: } else {
// CHECK: scf.index_switch %[[ARG2]]
// CHECK: case 1 {
// CHECK: %[[T1]] = arith.trunci %[[ARG3]] : i64 to i32
// CHECK: %[[T2]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<64xi32> offset = %[[T1]] len = 32 sizes = [32] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: aiex.dma_await_task(%[[T2]])
// CHECK: scf.yield
// CHECK: default {
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[T0:.*]] = scf.for %[[ARG4:.*]] = %[[C0]] to %[[ARG2]] step %[[C1]] iter_args(%[[ARG5:.*]] = %[[C0]]) -> (index) {
// CHECK: %[[T1]] = arith.addi %[[ARG5]], %[[ARG2]] : index
// CHECK: %[[T2]] = arith.index_cast %[[T1]] : index to i64
// CHECK: %[[T3:.*]] = arith.trunci %[[T2]] : i64 to i32
// CHECK: %[[T4:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<64xi32> offset = %[[T3]] len = 32 sizes = [32] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T4]])
// CHECK: aiex.dma_await_task(%[[T4]])
// CHECK: scf.yield %[[T1]] : index


module {
  aie.device(npu2) @seg {
    %tile_0_0 = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile_0_0, MM2S, 0)
    aie.shim_dma_allocation @out(%tile_0_0, S2MM, 0)
    %t = aie.tile(0, 2)
    %rtp = aie.buffer(%t) {sym_name = "__air_herd_rtp_0_2"} : memref<1xi32, 2>
    aie.core(%t) { aie.end } {air.herd_name = "h"}
  }
  func.func @f(%a: memref<64xi32>, %c: i1, %n: index, %v: i64) {
    %id = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = airrt.wait_all : !airrt.event
    %r = scf.if %c -> (!airrt.event) {
      %e = airrt.dma_memcpy_nd(%id, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      airrt.wait_all %e
      %h = airrt.herd_load "h" (%v) : (i64) -> i64
      scf.yield %e : !airrt.event
    } else {
      scf.yield %t : !airrt.event
    }
    %q = scf.index_switch %n -> !airrt.event
    case 1 {
      %e = airrt.dma_memcpy_nd(%id, %z, %z, %a[0, 0, 0, %v], [1, 1, 1, 32], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      scf.yield %e : !airrt.event
    }
    default {
      scf.yield %t : !airrt.event
    }
    %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0, %ev = %t) -> (index, !airrt.event) {
      %k1 = arith.addi %k, %n : index
      %o = arith.index_cast %k1 : index to i64
      %e = airrt.dma_memcpy_nd(%id, %z, %z, %a[0, 0, 0, %o], [1, 1, 1, 32], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      scf.yield %k1, %e : index, !airrt.event
    }
    airrt.wait_all %r, %q, %s#1
    return
  }
}
