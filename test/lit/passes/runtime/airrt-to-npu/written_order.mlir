// RUN: allo-opt %s --airrt-to-npu | filecheck %s
// RUN: allo-opt %s --airrt-to-npu=coalesce-shim-dma | filecheck %s --check-prefix=ONE

// The order that the host takes things in.

// CHECK: aie.runtime_sequence @waves(%[[ARG0:.*]]: memref<256xi32>) {
// CHECK: %[[C0_I32:.*]] = arith.constant 0 : i32
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, %[[C0_I32]]) : i32
// CHECK: aiex.set_lock(%[[__AIR_HERD_LOCK_0_2:.*]], 1)
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 128 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: aiex.dma_free_task(%[[T1]])
// CHECK: aiex.dma_await_task(%[[T0]])
// CHECK: %[[C1_I32:.*]] = arith.constant 1 : i32
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, %[[C1_I32]]) : i32
// CHECK: aiex.set_lock(%[[__AIR_HERD_LOCK_0_2]], 1)
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 192 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: aiex.dma_free_task(%[[T3]])
// CHECK: aiex.dma_await_task(%[[T2]])
// CHECK: aie.runtime_sequence @hoisted(%[[ARG0:.*]]: memref<256xi32>) {
// CHECK: aiex.set_lock(%[[__AIR_HERD_LOCK_0_2:.*]], 1)
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @b {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 128 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 64 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: aiex.dma_free_task(%[[T1]])
// CHECK: aiex.dma_await_task(%[[T2]])
// CHECK: aiex.dma_free_task(%[[T0]])
// CHECK: aie.runtime_sequence @appended(%[[ARG0:.*]]: memref<256xi32>) {
// CHECK: aiex.set_lock(%[[__AIR_HERD_LOCK_0_2:.*]], 1)
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 64 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: aiex.dma_await_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 0 len = 256 sizes = [256] strides = [1])
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: aiex.dma_free_task(%[[T1]])
// CHECK: aie.runtime_sequence @paced(%[[ARG0:.*]]: memref<256xi32>) {
// CHECK: aiex.set_lock(%[[__AIR_HERD_LOCK_0_2:.*]], 1)
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 64 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 128 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_await_task(%[[T0]])
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 192 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_await_task(%[[T1]])
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: aiex.dma_await_task(%[[T2]])
// CHECK: aiex.dma_await_task(%[[T3]])
// CHECK: aie.runtime_sequence @burst(%[[ARG0:.*]]: memref<512xi32>) {
// CHECK: aiex.set_lock(%[[__AIR_HERD_LOCK_0_2:.*]], 1)
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<512xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @b {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<512xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<512xi32> offset = 64 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @b {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<512xi32> offset = 64 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: %[[T4:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<512xi32> offset = 128 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T4]])
// CHECK: %[[T5:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<512xi32> offset = 192 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_start_task(%[[T5]])
// CHECK: %[[T6:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<512xi32> offset = 256 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_await_task(%[[T0]])
// CHECK: aiex.dma_start_task(%[[T6]])
// CHECK: %[[T7:.*]] = aiex.dma_configure_task_for @a {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<512xi32> offset = 320 len = 64 sizes = [64] strides = [1])
// CHECK: aiex.dma_await_task(%[[T2]])
// CHECK: aiex.dma_start_task(%[[T7]])
// CHECK: aiex.dma_free_task(%[[T4]])
// CHECK: aiex.dma_free_task(%[[T5]])
// CHECK: aiex.dma_free_task(%[[T6]])
// CHECK: aiex.dma_free_task(%[[T7]])
// CHECK: aiex.dma_free_task(%[[T1]])
// CHECK: aiex.dma_free_task(%[[T3]])
// CHECK: aie.runtime_sequence @coalesced(%[[ARG0:.*]]: memref<256xi32>) {
// CHECK: aiex.set_lock(%[[__AIR_HERD_LOCK_0_2:.*]], 1)
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @p {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @p {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 64 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @p {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 128 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_await_task(%[[T0]])
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @p {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<256xi32> offset = 192 len = 64 sizes = [64] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_await_task(%[[T1]])
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: aiex.dma_await_task(%[[T2]])
// CHECK: aiex.dma_await_task(%[[T3]])

// ONE-LABEL: @coalesced
// ONE: aie.dma_bd(%{{.*}} offset = 0 len = 256
// ONE: } {issue_token = true}
// ONE-NEXT: aiex.dma_start_task(%[[T:.*]])
// ONE-NEXT: aiex.dma_await_task(%[[T]])
// ONE-NOT: dma_bd

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  %sh1 = aie.tile(1, 0)
  aie.shim_dma_allocation @a(%sh, MM2S, 0)
  aie.shim_dma_allocation @b(%sh, MM2S, 1)
  aie.shim_dma_allocation @out(%sh, S2MM, 0)
  aie.shim_dma_allocation @p(%sh1, MM2S, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
  %rtp = aie.buffer(%t) {sym_name = "__air_herd_rtp_0_2"} : memref<1xi32, 2>
}
airrt.module_metadata {
  airrt.segment_metadata attributes {sym_name = "seg"} {
    airrt.herd_metadata {loc_x = 0 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64, sym_name = "h"}
  }
}
// Each iteration of a launch: what the cores are passed, its outputs, its inputs; then it is waited for.
func.func @waves(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 2 {
    %p = airrt.segment_load "seg" : i64
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @a} : (i32, i64, i64, memref<256xi32>) : !airrt.event
    %k = arith.index_cast %i : index to i64
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 128], [1, 1, 1, 64], [0, 0, 64, 1]) {metadata = @out} : (i32, i64, i64, memref<256xi32>) : !airrt.event
    %v = arith.index_cast %i : index to i32
    %h = airrt.herd_load "h" (%v) {segment_name = "seg"} : (i32) -> i64
    airrt.wait_all %e, %f {air.launch_end}
  }
  return
}
// One iteration keeps its order, except for hoisted feeds.
func.func @hoisted(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @a} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 64], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  %g = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 128], [1, 1, 1, 64], [0, 0, 0, 1]) {air.runtime_hoist, metadata = @b} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  airrt.wait_all %e, %f, %g
  return
}
// What is read again must have arrived.
func.func @appended(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 64], [1, 1, 1, 64], [0, 0, 0, 1]) {air.append_barrier, metadata = @out} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 256], [0, 0, 0, 1]) {air.await_appends, metadata = @a} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  airrt.wait_all %e, %f
  return
}
// Two tasks of a paced feed are queued at a time.
func.func @paced(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 4 {
    %k = arith.index_cast %i : index to i64
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 64], [0, 0, 64, 1]) {air.preserve_shim_dma_order, metadata = @a} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  }
  return
}
// Four tasks are on a channel, and the next waits for the first; channels take turns.
func.func @burst(%m: memref<512xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 6 {
    %k = arith.index_cast %i : index to i64
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 64], [0, 0, 64, 1]) {metadata = @a} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  }
  affine.for %i = 0 to 2 {
    %k = arith.index_cast %i : index to i64
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 64], [0, 0, 64, 1]) {metadata = @b} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  }
  return
}
func.func @coalesced(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 4 {
    %k = arith.index_cast %i : index to i64
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 64], [0, 0, 64, 1]) {air.preserve_shim_dma_order, metadata = @p} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  }
  return
}
