// RUN: allo-opt %s --partition-kernels | filecheck %s

// A small product whose result is also returned: one core would take longer in scalar loops than a second kernel costs, which
// needs one column. A tiny product is faster on one core.

// CHECK-DAG: func.func private @small_contraction_0(%arg0: tensor<33x40xi8>, %arg1: tensor<40x19xi8>) -> tensor<33x19xi32>
// CHECK-DAG: func.func private @small_rows_0(%arg0: tensor<33x19xi32>) -> tensor<33x19xi32>
// CHECK-DAG: func.func private @tiny_{{.*}}(%arg0: tensor<4x8xi8>, %arg1: tensor<8x5xi8>) -> (tensor<4x5xi32>, tensor<4x5xi32>)
func.func @small(%x: tensor<33x40xi8>, %w: tensor<40x19xi8>) -> (tensor<33x19xi32>, tensor<33x19xi32>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<33x19xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<33x19xi32>) -> tensor<33x19xi32>
  %p = linalg.matmul ins(%x, %w : tensor<33x40xi8>, tensor<40x19xi8>) outs(%f : tensor<33x19xi32>) -> tensor<33x19xi32>
  %s = linalg.add ins(%p, %p : tensor<33x19xi32>, tensor<33x19xi32>) outs(%e : tensor<33x19xi32>) -> tensor<33x19xi32>
  return %p, %s : tensor<33x19xi32>, tensor<33x19xi32>
}

func.func @tiny(%x: tensor<4x8xi8>, %w: tensor<8x5xi8>) -> (tensor<4x5xi32>, tensor<4x5xi32>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x5xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  %p = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x5xi8>) outs(%f : tensor<4x5xi32>) -> tensor<4x5xi32>
  %s = linalg.add ins(%p, %p : tensor<4x5xi32>, tensor<4x5xi32>) outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %p, %s : tensor<4x5xi32>, tensor<4x5xi32>
}
