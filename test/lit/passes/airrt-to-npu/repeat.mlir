// RUN: allo-opt %s --airrt-to-npu | filecheck %s
// RUN: allo-opt %s --airrt-to-npu=form=dma-memcpy | filecheck %s --check-prefix=MEMCPY

// The queue repeats a task up to 256 times; the outermost size of a transfer holds 64.
// CHECK: aie.dma_bd(%{{.*}} : memref<64xi32>, 0, 64)
// CHECK: } {issue_token = true, repeat_count = 99 : i32}
// CHECK-NOT: dma_configure_task_for
// MEMCPY-COUNT-2: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 0][50, 1, 1, 64][0, 0, 0, 1])
// MEMCPY-NOT: aiex.npu.dma_memcpy_nd
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @again(%a: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %i = 0 to 100 {
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  }
  return
}
