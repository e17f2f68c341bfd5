// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu=order=planned | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned form=dma-memcpy' | filecheck %s --check-prefix=MEMCPY
// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu=order=planned --airrt-to-npu=order=planned | filecheck %s
// RUN: not allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned trace-size=64' 2>&1 | filecheck %s --check-prefix=UNTRACED
// UNTRACED: error: 'aie.device' op has no packet flow from the Trace port of a core to a shim's DMA

// Launch loops become dimensions: a repeat (stride 0) stays outside, contiguous rounds merge.
// CHECK: aie.runtime_sequence @copy(%[[A:.*]]: memref<1024xi32>, %[[B:.*]]: memref<1024xi32>) {
// CHECK-NEXT: %[[T:.*]] = aiex.dma_configure_task_for @in {
// CHECK-NEXT: aie.dma_bd(%[[A]] : memref<1024xi32>, 64, 128, [<size = 4, stride = 64>, <size = 32, stride = 1>])
// CHECK-NEXT: aie.end
// CHECK-NEXT: } {repeat_count = 2 : i32}
// CHECK-NEXT: aiex.dma_start_task(%[[T]])
// CHECK-NEXT: %[[U:.*]] = aiex.dma_configure_task_for @out {
// CHECK-NEXT: aie.dma_bd(%[[B]] : memref<1024xi32>, 0, 384)
// CHECK-NEXT: aie.end
// CHECK-NEXT: } {issue_token = true}
// CHECK-NEXT: aiex.dma_start_task(%[[U]])
// CHECK-NEXT: aiex.dma_await_task(%[[U]])
// CHECK-NEXT: aiex.dma_free_task(%[[T]])
// CHECK-NEXT: }
// CHECK-NOT: func.func @copy
// CHECK-NOT: airrt.

// MEMCPY: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 64][3, 1, 4, 32][0, 0, 64, 1]) {id = 0 : i64, metadata = @in} : memref<1024xi32>
// MEMCPY-NEXT: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 0][1, 1, 1, 384][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<1024xi32>
// MEMCPY-NEXT: aiex.npu.dma_wait {symbol = @out}
// MEMCPY-NEXT: }
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
}
airrt.module_metadata {
}
func.func @copy(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  affine.for %i = 0 to 3 {
    %p = airrt.segment_load "dev" : i64
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c1, %c0], [%c1, %c1, %c4, %c32], [%c0, %c0, %c64, %c1]) {metadata = @in} : (i32, i64, i64, memref<1024xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    %j = arith.index_cast %i : index to i64
    %o = arith.muli %j, %c128 : i64
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %o], [%c1, %c1, %c1, %c128], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<1024xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %e, %f {air.launch = 0 : i32, air.launch_end}
  } {affine_opt_label = "tiling"}
  return
}
