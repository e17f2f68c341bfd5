// What stands for several operations is written as these.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

// CHECK-LABEL: func.func @softmax
// CHECK-NOT:     linalg.softmax
// CHECK:         arith.maxnumf
// CHECK:         math.exp
// CHECK:         arith.addf
// CHECK:         arith.divf
func.func @softmax(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @pack
// CHECK-NOT:     linalg.pack
// CHECK-NOT:     linalg.unpack
// CHECK:         tensor.expand_shape
func.func @pack(%x: tensor<8x16xf32>) -> (tensor<2x4x4x4xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<2x4x4x4xf32>
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<8x16xf32> -> tensor<2x4x4x4xf32>
  %f = tensor.empty() : tensor<8x16xf32>
  %q = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %f : tensor<2x4x4x4xf32> -> tensor<8x16xf32>
  return %p, %q : tensor<2x4x4x4xf32>, tensor<8x16xf32>
}
