// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu=order=planned | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu=order=planned | allo-translate --aie-npu-to-binary --hex --aie-sequence-name=five | filecheck %s --check-prefix=WORDS

// A fifth task on a channel waits for the first, which therefore issues a token; the others need none.
// CHECK: aie.runtime_sequence @five
// CHECK: %[[FIRST:.*]] = aiex.dma_configure_task_for @in {
// CHECK: } {issue_token = true}
// CHECK-COUNT-4: aiex.dma_start_task
// CHECK-NEXT: aiex.dma_await_task(%[[FIRST]])
// CHECK-NEXT: %[[FIFTH:.*]] = aiex.dma_configure_task_for @in {
// CHECK: aiex.dma_start_task(%[[FIFTH]])
// CHECK: aiex.dma_await_task(%[[FIFTH]])
// CHECK: aiex.dma_free_task

// 5 tasks of block write, patch and queue, and 2 waits: 17 operations.
// WORDS: 06030100
// WORDS-NEXT: 00000104
// WORDS-NEXT: 00000011

// A run of 8192 words at each of 3 places: two wraps, since one holds 1023.
// CHECK: aie.runtime_sequence @wraps
// CHECK: aie.dma_bd(%{{.*}} : memref<65536xi32>, 0, 24576, [<size = 3, stride = 16384>, <size = 16, stride = 512>, <size = 512, stride = 1>])

// 70 rounds outside of three dimensions: a BD iterates 64 times, so two tasks of 35.
// CHECK: aie.runtime_sequence @iterations
// CHECK: aie.dma_bd(%{{.*}} : memref<65536xi32>, 0, 8, [<size = 35, stride = 512>, <size = 2, stride = 128>, <size = 2, stride = 32>, <size = 2, stride = 1>])
// CHECK: } {repeat_count = 34 : i32}
// CHECK: aie.dma_bd(%{{.*}} : memref<65536xi32>, 17920, 8, [<size = 35, stride = 512>,
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @five(%a: memref<65536xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  affine.for %i = 0 to 5 {
    %j = arith.index_cast %i : index to i64
    %k = arith.subi %c64, %j : i64
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %k], [%c1, %c1, %c2, %c32], [%c0, %c0, %c64, %c1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  }
  return
}
func.func @wraps(%a: memref<65536xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c8192 = arith.constant 8192 : i64
  %c16384 = arith.constant 16384 : i64
  %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c3, %c8192], [%c0, %c0, %c16384, %c1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  return
}
func.func @iterations(%a: memref<65536xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c32 = arith.constant 32 : i64
  %c70 = arith.constant 70 : i64
  %c128 = arith.constant 128 : i64
  %c512 = arith.constant 512 : i64
  %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c70, %c2, %c2, %c2], [%c512, %c128, %c32, %c1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  return
}
