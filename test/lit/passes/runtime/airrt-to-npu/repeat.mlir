// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu=order=planned | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned form=dma-memcpy' | filecheck %s --check-prefix=MEMCPY

// The queue repeats a task up to 256 times; the outermost size of a transfer holds 64.
// CHECK: aie.dma_bd(%{{.*}} : memref<64xi32>, 0, 64)
// CHECK: } {issue_token = true, repeat_count = 99 : i32}
// CHECK-NOT: dma_configure_task_for
// MEMCPY-COUNT-2: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 0][50, 1, 1, 64][0, 0, 0, 1])
// MEMCPY-NOT: aiex.npu.dma_memcpy_nd

// Iterations begin again: rows of 40 tiles, 8 times over, are two tasks; a transfer's repeat is its iteration.
// CHECK-LABEL: @rows
// CHECK: aie.dma_bd(%{{.*}}, 0, 64, [<size = 40, stride = 8>, <size = 2, stride = 1024>, <size = 4, stride = 500>, <size = 8, stride = 1>])
// CHECK: } {repeat_count = 159 : i32}
// CHECK: aie.dma_bd(%{{.*}}, 0, 64, [<size = 40, stride = 8>, <size = 2, stride = 1024>, <size = 4, stride = 500>, <size = 8, stride = 1>])
// CHECK: } {issue_token = true, repeat_count = 159 : i32}
// CHECK-NOT: dma_configure_task_for
// MEMCPY-LABEL: @rows
// MEMCPY-COUNT-8: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 0][40, 2, 4, 8][8, 1024, 500, 1])
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

func.func @rows(%a: memref<4096xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c500 = arith.constant 500 : i64
  %c1024 = arith.constant 1024 : i64
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 40 {
      %at = affine.apply affine_map<(d0) -> (8 * d0)>(%j)
      %offset = arith.index_cast %at : index to i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %offset], [%c1, %c2, %c4, %c8], [%c0, %c1024, %c500, %c1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    }
  }
  return
}
