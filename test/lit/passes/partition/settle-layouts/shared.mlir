// RUN: allo-opt --settle-layouts %s | filecheck %s

// What is moved alike twice is moved by one kernel.

// CHECK:      func.func private @relayout_0
// CHECK-NOT:  @relayout_1
// CHECK:      func.func @f
// CHECK-COUNT-2: call @relayout_0(
func.func private @k(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {allo.kernel} {
  return %a : tensor<8x8xf32>
}
func.func private @l(%a: tensor<8x12xf32>) -> tensor<8x12xf32> attributes {allo.kernel} {
  return %a : tensor<8x12xf32>
}
func.func @f(%x: tensor<8x8xf32>) -> (tensor<8x12xf32>, tensor<8x12xf32>) {
  %z = arith.constant 0.0 : f32
  %a = call @k(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %a[0, 0] [8, 5] [1, 1] : tensor<8x8xf32> to tensor<8x5xf32>
  %p = tensor.pad %s low[0, 0] high[0, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x5xf32> to tensor<8x12xf32>
  %b = call @l(%p) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %c = call @k(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = tensor.extract_slice %c[0, 0] [8, 5] [1, 1] : tensor<8x8xf32> to tensor<8x5xf32>
  %q = tensor.pad %t low[0, 0] high[0, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x5xf32> to tensor<8x12xf32>
  %d = call @l(%q) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return %b, %d : tensor<8x12xf32>, tensor<8x12xf32>
}
