// RUN: allo-opt %s --airrt-to-npu=order=planned | filecheck %s
// RUN: allo-opt %s --airrt-to-npu | filecheck %s

// A buffer without a rank is as long as the transfers reach, loops and all.

// CHECK: aie.runtime_sequence @f(%arg0: memref<160xf32>)
aie.device(npu1) @s {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @f(%a: memref<*xf32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %step = arith.constant 32 : index
  scf.for %i = %z to %four step %one {
    %o = arith.muli %i, %step : index
    %at = arith.index_cast %o : index to i64
    %0 = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %at], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<*xf32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  }
  return
}
