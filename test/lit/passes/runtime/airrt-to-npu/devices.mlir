// RUN: allo-opt %s --airrt-to-npu=order=planned | filecheck %s

// A function that drives two devices, one after another, becomes a sequence of each, and one of the main device that
// configures and runs them.

// CHECK:       aie.device(npu1) @one
// CHECK:         aie.runtime_sequence @one_sequence(%arg0: memref<64xi32>, %arg1: memref<64xi32>)
// CHECK:           @in_one
// CHECK:       aie.device(npu1) @two
// CHECK:         aie.runtime_sequence @two_sequence(%arg0: memref<64xi32>, %arg1: memref<64xi32>)
// CHECK:           @in_two
// CHECK:       aie.device(npu1)
// CHECK:         aie.runtime_sequence @f(%arg0: memref<64xi32>, %arg1: memref<64xi32>)
// CHECK-NEXT:      aiex.configure @one {
// CHECK-NEXT:        aiex.run @one_sequence(%arg0, %arg1)
// CHECK:           aiex.configure @two {
// CHECK-NEXT:        aiex.run @two_sequence(%arg0, %arg1)
// CHECK-NOT:   func.func
aie.device(npu1) @one {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in_one(%t, MM2S, 0)
}
aie.device(npu1) @two {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in_two(%t, MM2S, 0)
}
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %i = 0 to 1 {
    %p = airrt.segment_load "one" : i64
    %0 = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in_one} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %0 {air.launch_end}
  }
  affine.for %i = 0 to 1 {
    %p = airrt.segment_load "two" : i64
    %0 = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in_two} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %0 {air.launch_end}
  }
  airrt.wait_all
  return
}
