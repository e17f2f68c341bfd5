// RUN: allo-opt --link-kernels=merge-only %s | filecheck %s

// Each of three devices stands beside both others in turn, and two have room: with copies there are five loads instead of
// seven.

// CHECK:      aie.device(npu1) @shared_0 {
// CHECK:        aie.runtime_sequence @p(
// CHECK:        aie.runtime_sequence @q(
// CHECK:      aie.device(npu1) @shared_1 {
// CHECK:        aie.runtime_sequence @p_copy_0(
// CHECK:        aie.runtime_sequence @s(
// CHECK:      aie.device(npu1) @shared_2 {
// CHECK:        aie.runtime_sequence @q_copy_0(
// CHECK:        aie.runtime_sequence @s_copy_0(
// CHECK:      aie.device(npu1) @wide_0 {
// CHECK-DAG:  func.func private @p_copy_0(memref<64xi32>)
// CHECK-DAG:  func.func private @q_copy_0(memref<64xi32>)
// CHECK-DAG:  func.func private @s_copy_0(memref<64xi32>)
// CHECK:      func.func @f
// CHECK-NEXT:   call @p(
// CHECK-NEXT:   call @q(
// CHECK-NEXT:   call @wide(
// CHECK-NEXT:   call @p_copy_0(
// CHECK-NEXT:   call @s(
// CHECK-NEXT:   call @wide(
// CHECK-NEXT:   call @q_copy_0(
// CHECK-NEXT:   call @s_copy_0(
aie.device(npu1) @p_0 {
  %t = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  aie.runtime_sequence @p(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @q_0 {
  %t = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  aie.runtime_sequence @q(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @s_0 {
  %t = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  aie.runtime_sequence @s(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @wide_0 {
  %t = aie.tile(0, 2)
  %u = aie.tile(3, 2)
  aie.runtime_sequence @wide(%a: memref<64xi32>) {
  }
}
func.func private @p(memref<64xi32>)
func.func private @q(memref<64xi32>)
func.func private @s(memref<64xi32>)
func.func private @wide(memref<64xi32>)
func.func @f(%x: memref<64xi32>) {
  call @p(%x) : (memref<64xi32>) -> ()
  call @q(%x) : (memref<64xi32>) -> ()
  call @wide(%x) : (memref<64xi32>) -> ()
  call @p(%x) : (memref<64xi32>) -> ()
  call @s(%x) : (memref<64xi32>) -> ()
  call @wide(%x) : (memref<64xi32>) -> ()
  call @q(%x) : (memref<64xi32>) -> ()
  call @s(%x) : (memref<64xi32>) -> ()
  return
}
