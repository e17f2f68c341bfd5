// RUN: allo-opt --mask-padding %s | filecheck %s
// RUN: allo-opt --mask-padding --mask-padding %s | filecheck %s
// RUN: allo-opt --mask-padding --plan-gemm='strict=false' --pad-families --assign-layouts %s | filecheck %s --check-prefix=SETTLED

// A result of 13 columns, over which another contraction sums, is masked; one of 32 columns, which no plan pads, and the last
// one, which nobody sums over, are not. What is padded then stays where it is: no kernel moves it.

// CHECK:      func.func private @first(%{{.*}}: tensor<8x16xf32>, %{{.*}}: tensor<16x13xf32>, %[[M:.*]]: tensor<13xi32>) -> tensor<8x13xf32>
// CHECK:        %[[C:.*]] = linalg.matmul
// CHECK:        %[[R:.*]] = linalg.generic {{.*}} ins(%[[C]], %[[M]] : tensor<8x13xf32>, tensor<13xi32>)
// CHECK:        ^bb0(%[[E:.*]]: f32, %[[O:.*]]: i32, %{{.*}}: f32):
// CHECK:          %[[IS:.*]] = arith.cmpi ne, %[[O]], %{{.*}} : i32
// CHECK:          arith.select %[[IS]], %[[E]], %{{.*}} : f32
// CHECK:        return %[[R]]
// CHECK:      func.func private @second(%{{.*}}: tensor<8x13xf32>, %{{.*}}: tensor<13x32xf32>) -> tensor<8x32xf32>
// CHECK:      func.func private @third(%{{.*}}: tensor<8x32xf32>, %{{.*}}: tensor<32x5xf32>) -> tensor<8x5xf32>
// CHECK:      func.func @main
// CHECK:        %[[ONES:.*]] = arith.constant dense<1> : tensor<13xi32>
// CHECK:        call @first(%{{.*}}, %{{.*}}, %[[ONES]])

// SETTLED-NOT: @relayout
// SETTLED:     func.func @main
// SETTLED:       %[[A:.*]] = call @first({{.*}}) : ({{.*}}) -> tensor<8x16xf32>
// SETTLED-NEXT:  %[[B:.*]] = call @second(%[[A]], {{.*}}) : (tensor<8x16xf32>
// SETTLED-NEXT:  call @third(%[[B]],
func.func private @first(%a: tensor<8x16xf32>, %b: tensor<16x13xf32>) -> tensor<8x13xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x13xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x13xf32>) -> tensor<8x13xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x13xf32>) outs(%f : tensor<8x13xf32>) -> tensor<8x13xf32>
  return %c : tensor<8x13xf32>
}
func.func private @second(%a: tensor<8x13xf32>, %b: tensor<13x32xf32>) -> tensor<8x32xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x13xf32>, tensor<13x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}
func.func private @third(%a: tensor<8x32xf32>, %b: tensor<32x5xf32>) -> tensor<8x5xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x5xf32>) -> tensor<8x5xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x32xf32>, tensor<32x5xf32>) outs(%f : tensor<8x5xf32>) -> tensor<8x5xf32>
  return %c : tensor<8x5xf32>
}
func.func @main(%x: tensor<8x16xf32>, %u: tensor<16x13xf32>, %v: tensor<13x32xf32>, %w: tensor<32x5xf32>) -> tensor<8x5xf32> {
  %0 = call @first(%x, %u) : (tensor<8x16xf32>, tensor<16x13xf32>) -> tensor<8x13xf32>
  %1 = call @second(%0, %v) : (tensor<8x13xf32>, tensor<13x32xf32>) -> tensor<8x32xf32>
  %2 = call @third(%1, %w) : (tensor<8x32xf32>, tensor<32x5xf32>) -> tensor<8x5xf32>
  return %2 : tensor<8x5xf32>
}
