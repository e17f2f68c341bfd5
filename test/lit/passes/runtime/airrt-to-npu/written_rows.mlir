// RUN: allo-opt %s --airrt-to-npu | filecheck %s

// Loops in a row, without waits, that start more tasks than a queue holds are unrolled, so that later ones wait.

// CHECK-LABEL: aie.runtime_sequence @rows
// CHECK-NOT:     scf.for
// CHECK-COUNT-4: aiex.dma_start_task
// CHECK:         aiex.dma_await_task
// CHECK:         aiex.dma_start_task
// CHECK-NOT:     scf.for
aie.device(npu1) @seg {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
}
func.func @rows(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %p = airrt.segment_load "seg" : i64
  scf.for %i = %c0 to %c3 step %c1 {
    %k = arith.index_cast %i : index to i64
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 64], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %k = arith.index_cast %i : index to i64
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 32], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  }
  return
}
