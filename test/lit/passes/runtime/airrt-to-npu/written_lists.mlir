// RUN: allo-opt %s --airrt-to-npu | filecheck %s

// Each list becomes a descriptor: dimensions, repeats, sizes that are divided, steps that become transfers.

// CHECK: aie.runtime_sequence @dims(%[[ARG0:.*]]: memref<65536xi32>) {
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 4232 len = 512 sizes = [16, 32] strides = [64, 1])
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 0 len = 512 sizes = [16, 32] strides = [64, 1])
// CHECK: } {repeat_count = 3 : i32}
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 0 len = 32 sizes = [4, 1, 1, 32] strides = [1024, 0, 0, 1])
// CHECK: } {repeat_count = 3 : i32}
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 0 len = 160 sizes = [5, 32] strides = [64, 1]) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>}
// CHECK: } {repeat_count = 5 : i32}
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: aiex.dma_free_task(%[[T0]])
// CHECK: aiex.dma_free_task(%[[T1]])
// CHECK: aiex.dma_free_task(%[[T2]])
// CHECK: aiex.dma_free_task(%[[T3]])
// CHECK: aie.runtime_sequence @wraps(%[[ARG0:.*]]: memref<65536xi32>, %[[ARG1:.*]]: memref<65536xbf16>) {
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 0 len = 8192 sizes = [16, 512] strides = [512, 1])
// CHECK: } {issue_token = true, repeat_count = 1 : i32}
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 0 len = 8192 sizes = [8192] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 0 len = 8192 sizes = [4, 512, 4] strides = [8192, 16, 1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG1]] : memref<65536xbf16> offset = 0 len = 16352 sizes = [8, 2, 1022] strides = [4096, 1022, 1])
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: %[[T4:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 0 len = 4096 sizes = [2, 2, 4, 512] strides = [8192, 4096, 512, 1])
// CHECK: } {repeat_count = 1 : i32}
// CHECK: aiex.dma_await_task(%[[T0]])
// CHECK: aiex.dma_start_task(%[[T4]])
// CHECK: %[[T5:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 4 len = 4096 sizes = [2, 2, 4, 512] strides = [8192, 4096, 512, 1])
// CHECK: } {repeat_count = 1 : i32}
// CHECK: aiex.dma_await_task(%[[T1]])
// CHECK: aiex.dma_start_task(%[[T5]])
// CHECK: %[[T6:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<65536xi32> offset = 8 len = 4096 sizes = [2, 2, 4, 512] strides = [8192, 4096, 512, 1])
// CHECK: } {repeat_count = 1 : i32}
// CHECK: aiex.dma_await_task(%[[T2]])
// CHECK: aiex.dma_start_task(%[[T6]])
// CHECK: aiex.dma_free_task(%[[T3]])
// CHECK: aiex.dma_free_task(%[[T4]])
// CHECK: aiex.dma_free_task(%[[T5]])
// CHECK: aiex.dma_free_task(%[[T6]])
// CHECK: aie.runtime_sequence @strides(%[[ARG0:.*]]: memref<8388608xi32>) {
// CHECK: %[[T0:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<8388608xi32> offset = 0 len = 32 sizes = [32] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T0]])
// CHECK: %[[T1:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<8388608xi32> offset = 2097152 len = 32 sizes = [32] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T1]])
// CHECK: %[[T2:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<8388608xi32> offset = 4194304 len = 32 sizes = [32] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T2]])
// CHECK: %[[T3:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<8388608xi32> offset = 6291456 len = 32 sizes = [32] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%[[T3]])
// CHECK: %[[T4:.*]] = aiex.dma_configure_task_for @out {
// CHECK: aie.dma_bd(%[[ARG0]] : memref<8388608xi32> offset = 2097152 len = 32 sizes = [32] strides = [1])
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_await_task(%[[T0]])
// CHECK: aiex.dma_start_task(%[[T4]])
// CHECK: aiex.dma_await_task(%[[T1]])
// CHECK: aiex.dma_await_task(%[[T2]])
// CHECK: aiex.dma_await_task(%[[T3]])
// CHECK: aiex.dma_await_task(%[[T4]])

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
  aie.shim_dma_allocation @out(%sh, S2MM, 0)
}
func.func @dims(%m: memref<65536xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %0 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 1, 2, 8], [1, 1, 16, 32], [0, 4096, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  %1 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [4, 1, 16, 32], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  %2 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [4, 1, 1, 32], [1024, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  %3 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [2, 3, 5, 32], [0, 0, 64, 1]) {metadata = @in, packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  airrt.wait_all %3, %2, %1, %0
  return
}
func.func @wraps(%m: memref<65536xi32>, %b: memref<65536xbf16>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %0 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 2, 8192], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  %1 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 8192], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  %2 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 2048, 4], [0, 0, 16, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  %3 = airrt.dma_memcpy_nd(%id, %z, %z, %b[0, 0, 0, 0], [1, 1, 8, 2044], [0, 0, 4096, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xbf16>) : !airrt.event
  %4 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [3, 2, 2, 2048], [4, 8192, 4096, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  return
}
func.func @strides(%m: memref<8388608xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %0 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 4, 32], [0, 0, 2097152, 1]) {metadata = @out} : (i32, i64, i64, memref<8388608xi32>) : !airrt.event
  %1 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 1, 0], [1, 1, 1, 32], [0, 0, 2097152, 1]) {metadata = @out} : (i32, i64, i64, memref<8388608xi32>) : !airrt.event
  airrt.wait_all %0, %1
  return
}
