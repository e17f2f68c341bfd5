// RUN: allo-opt %s --airrt-to-npu='order=planned form=dma-memcpy' | filecheck %s

// Numbers have the width of their type: 264 is 8 in i8, and 132 is -124, which extui takes for 132.
// CHECK-LABEL: aie.runtime_sequence @widths(
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 8][1, 1, 1, 4]
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 0][1, 1, 2, 8][0, 0, 132, 1]
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 8][1, 1, 1, 8]
// CHECK-NEXT: aiex.npu.dma_wait

// A loop whose numbers fit stays one transfer.
// CHECK-LABEL: aie.runtime_sequence @fits(
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 0][1, 1, 3, 8][0, 0, 40, 1]
// CHECK-NEXT: aiex.npu.dma_wait

// -1 is the greatest number where the comparison is unsigned.
// CHECK-LABEL: aie.runtime_sequence @unsigned(
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%{{.*}}[0, 0, 0, 16][1, 1, 2, 8][0, 0, 16, 1]
// CHECK-NEXT: aiex.npu.dma_wait
// CHECK-NEXT: }
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
}
airrt.module_metadata {
}
func.func @widths(%a: memref<1024xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c132 = arith.constant 132 : i64
  %c264 = arith.constant 264 : i64
  %byte = arith.trunci %c264 : i64 to i8
  %at = arith.extsi %byte : i8 to i64
  %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %at], [%c1, %c1, %c1, %c4], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<1024xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  affine.for %i = 0 to 3 {
    %j = arith.index_cast %i : index to i64
    %wide = arith.muli %j, %c132 : i64
    %narrow = arith.trunci %wide : i64 to i8
    %o = arith.extui %narrow : i8 to i64
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %o], [%c1, %c1, %c1, %c8], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<1024xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %e, %f {air.launch = 0 : i32, air.launch_end}
  }
  return
}
func.func @fits(%a: memref<1024xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c40 = arith.constant 40 : i8
  affine.for %i = 0 to 3 {
    %j = arith.index_cast %i : index to i8
    %b = arith.muli %j, %c40 : i8
    %o = arith.extui %b : i8 to i64
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %o], [%c1, %c1, %c1, %c8], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<1024xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %f {air.launch = 0 : i32, air.launch_end}
  }
  return
}
func.func @unsigned(%a: memref<1024xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    %before = arith.subi %i, %one : index
    %in = arith.cmpi ult, %before, %two : index
    scf.if %in {
      %j = arith.index_cast %i : index to i64
      %o = arith.muli %j, %c16 : i64
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %o], [%c1, %c1, %c1, %c8], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<1024xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %f {air.launch = 0 : i32, air.launch_end}
    }
  }
  return
}
