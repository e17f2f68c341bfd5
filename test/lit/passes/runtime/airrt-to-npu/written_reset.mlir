// RUN: allo-opt %s --airrt-to-npu=output-elf | filecheck %s
// RUN: allo-opt %s --airrt-to-npu | filecheck %s --check-prefix=PLAIN

// A DMA program that repeats a number of times does not begin again: between the iterations of a launch its device is loaded again.
// CHECK: aie.device(npu2) @seg_reset {
// CHECK-NEXT: }
// CHECK: aie.device(npu2) @seg {
// CHECK: aie.runtime_sequence @seg_sequence(%{{.*}}, %{{.*}}: memref<16xi32>) {
// CHECK: aiex.dma_await_task
// CHECK-NEXT: aiex.dma_await_task
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @seg_reset}
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @seg}
// CHECK: aiex.dma_configure_task_for @out
// CHECK: aiex.dma_await_task
// CHECK: aie.device(npu2) {
// CHECK: aiex.configure @seg

// A buffer that the program allocates is one more argument.
// PLAIN: aie.runtime_sequence @f(%{{.*}}: memref<256xi32>, %[[OWN:.*]]: memref<16xi32>) {
// PLAIN: aie.dma_bd(%[[OWN]] : memref<16xi32> offset = 0 len = 16
// PLAIN-NOT: load_pdi
aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<16xi32, 2>
  aie.mem(%t) {
    aie.dma_start(MM2S, 0, ^bd, ^end, repeat_count = 3)
  ^bd:
    aie.dma_bd(%b : memref<16xi32, 2> offset = 0 len = 16)
    aie.next_bd ^end
  ^end:
    aie.end
  }
  aie.flow(%t, DMA : 0, %sh, DMA : 0)
  aie.shim_dma_allocation @out(%sh, S2MM, 0)
}
func.func @f(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %own = memref.alloc() : memref<16xi32>
  affine.for %i = 0 to 2 {
    %p = airrt.segment_load "seg" : i64
    %k = arith.index_cast %i : index to i64
    %f = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %k, 0], [1, 1, 1, 16], [0, 0, 64, 1]) {metadata = @out} : (i32, i64, i64, memref<256xi32>) : !airrt.event
    %g = airrt.dma_memcpy_nd(%id, %z, %z, %own[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<16xi32>) : !airrt.event
  }
  return
}
