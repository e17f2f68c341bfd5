// RUN: allo-opt --mask-padding %s | filecheck %s

// A kernel that is planned already, as attention is, stays as it is.

// CHECK:     func.func private @planned(%{{.*}}: tensor<8x16xf32>, %{{.*}}: tensor<16x13xf32>) -> tensor<8x13xf32>
// CHECK-NOT: arith.select
func.func private @planned(%a: tensor<8x16xf32>, %b: tensor<16x13xf32>) -> tensor<8x13xf32>
    attributes {allo.kernel, allo.plan = {family = "matmul", chosen = "herd 1x1"}} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x13xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x13xf32>) -> tensor<8x13xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x13xf32>) outs(%f : tensor<8x13xf32>) -> tensor<8x13xf32>
  return %c : tensor<8x13xf32>
}
func.func private @reader(%a: tensor<8x13xf32>, %b: tensor<13x32xf32>) -> tensor<8x32xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x13xf32>, tensor<13x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}
func.func @main(%x: tensor<8x16xf32>, %u: tensor<16x13xf32>, %v: tensor<13x32xf32>) -> tensor<8x32xf32> {
  %0 = call @planned(%x, %u) : (tensor<8x16xf32>, tensor<16x13xf32>) -> tensor<8x13xf32>
  %1 = call @reader(%0, %v) : (tensor<8x13xf32>, tensor<13x32xf32>) -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}
