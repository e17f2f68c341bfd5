// RUN: allo-opt --link-kernels=merge-only %s | filecheck %s

// Devices that are not a part of a program, or of another kind, or together too wide, stay apart; of three the first two that fit
// are one.

// CHECK:     aie.device(npu1) @wide_0
// CHECK:     aie.device(npu1) @shared_0
// CHECK:       aie.tile(0, 2)
// CHECK:       aie.tile(1, 2)
// CHECK:       aie.tile(3, 2)
// CHECK-NOT: aie.device(npu1) @two_0
// CHECK:     aie.device(npu1) @three_0
// CHECK:     aie.device(npu1_1col) @other_0
// CHECK:     aie.device(npu1) @nobody_0
aie.device(npu1) @wide_0 {
  %t = aie.tile(0, 2)
  %u = aie.tile(3, 2)
  aie.runtime_sequence @wide(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @one_0 {
  %t = aie.tile(2, 2)
  aie.runtime_sequence @one(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @two_0 {
  %t = aie.tile(0, 2)
  %u = aie.tile(2, 2)
  aie.runtime_sequence @two(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @three_0 {
  %t = aie.tile(0, 2)
  aie.runtime_sequence @three(%a: memref<64xi32>) {
  }
}
aie.device(npu1_1col) @other_0 {
  %t = aie.tile(0, 2)
  aie.runtime_sequence @other(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @nobody_0 {
  %t = aie.tile(0, 2)
  aie.runtime_sequence @nobody(%a: memref<64xi32>) {
  }
}
func.func private @wide(memref<64xi32>)
func.func private @one(memref<64xi32>)
func.func private @two(memref<64xi32>)
func.func private @three(memref<64xi32>)
func.func private @other(memref<64xi32>)
func.func @f(%x: memref<64xi32>) {
  call @wide(%x) : (memref<64xi32>) -> ()
  call @one(%x) : (memref<64xi32>) -> ()
  call @two(%x) : (memref<64xi32>) -> ()
  call @three(%x) : (memref<64xi32>) -> ()
  call @other(%x) : (memref<64xi32>) -> ()
  return
}
