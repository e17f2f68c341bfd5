// RUN: allo-opt %s --normalize-matmul=strict=false --plan-gemm=strict=false | filecheck %s

// Functions that are no matrix multiplication, or that do something else beside it, stay as they are.

// CHECK-LABEL: func.func @nothing
// CHECK-NOT:   allo.plan
func.func @nothing(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func.func @beside
// CHECK-NOT:   allo.plan
// CHECK:       linalg.transpose
// CHECK:       linalg.exp
// CHECK:       linalg.matmul ins(%{{[0-9a-z]+}}, %{{[a-z]+}} : tensor<8x8xf32>, tensor<8x8xf32>)
func.func @beside(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  %e = linalg.exp ins(%a : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%e, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK-SAME:  allo.plan
// CHECK-NOT:   linalg.transpose
func.func @transposed(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
