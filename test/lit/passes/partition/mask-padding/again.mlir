// RUN: allo-opt --mask-padding %s | filecheck %s

// A kernel that sums over its own result gets one mask, and so do all of its calls.

// CHECK:      func.func private @k(%{{.*}}: tensor<8x13xf32>, %{{.*}}: tensor<13x13xf32>, %{{.*}}: tensor<13xi32>) -> tensor<8x13xf32>
// CHECK:        arith.select
// CHECK-NOT:    arith.select
// CHECK:      func.func @main
// CHECK-COUNT-3: call @k(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<8x13xf32>, tensor<13x13xf32>, tensor<13xi32>)
func.func private @k(%a: tensor<8x13xf32>, %b: tensor<13x13xf32>) -> tensor<8x13xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x13xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x13xf32>) -> tensor<8x13xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x13xf32>, tensor<13x13xf32>) outs(%f : tensor<8x13xf32>) -> tensor<8x13xf32>
  return %c : tensor<8x13xf32>
}
func.func @main(%x: tensor<8x13xf32>, %w: tensor<13x13xf32>) -> tensor<8x13xf32> {
  %0 = call @k(%x, %w) : (tensor<8x13xf32>, tensor<13x13xf32>) -> tensor<8x13xf32>
  %1 = call @k(%0, %w) : (tensor<8x13xf32>, tensor<13x13xf32>) -> tensor<8x13xf32>
  %2 = call @k(%1, %w) : (tensor<8x13xf32>, tensor<13x13xf32>) -> tensor<8x13xf32>
  return %2 : tensor<8x13xf32>
}
