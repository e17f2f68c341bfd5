// RUN: allo-opt %s --partition-kernels | filecheck %s

// The rows of a product that are biases of other products stay slices of the program, so that these products are one kernel.

// CHECK:       func.func private @main_contraction_0
// CHECK:       func.func private @main_contraction_1(
// CHECK-NOT:   extract_slice
// CHECK-NOT:   func.func private
// CHECK-LABEL: func.func @main(
// CHECK:         %[[A:.*]] = call @main_contraction_0
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[A]][0, 0] [1, 128]
// CHECK:         %[[T:.*]] = tensor.extract_slice %[[A]][1, 0] [1, 128]
// CHECK:         %[[B:.*]] = call @main_contraction_1(%{{.*}}, %{{.*}}, %[[S]])
// CHECK:         %[[C:.*]] = call @main_contraction_1(%[[B]], %{{.*}}, %[[T]])
// CHECK:         return %[[C]]
func.func @main(%x: tensor<2x128xf32>, %h: tensor<1x128xf32>, %w: tensor<128x128xf32>) -> tensor<1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x128xf32>) -> tensor<2x128xf32>
  %a = linalg.matmul ins(%x, %w : tensor<2x128xf32>, tensor<128x128xf32>) outs(%f : tensor<2x128xf32>) -> tensor<2x128xf32>
  %s = tensor.extract_slice %a[0, 0] [1, 128] [1, 1] : tensor<2x128xf32> to tensor<1x128xf32>
  %t = tensor.extract_slice %a[1, 0] [1, 128] [1, 1] : tensor<2x128xf32> to tensor<1x128xf32>
  %g = tensor.empty() : tensor<1x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%g : tensor<1x128xf32>) -> tensor<1x128xf32>
  %p = linalg.matmul ins(%h, %w : tensor<1x128xf32>, tensor<128x128xf32>) outs(%z : tensor<1x128xf32>) -> tensor<1x128xf32>
  %b = linalg.add ins(%p, %s : tensor<1x128xf32>, tensor<1x128xf32>) outs(%g : tensor<1x128xf32>) -> tensor<1x128xf32>
  %q = linalg.matmul ins(%b, %w : tensor<1x128xf32>, tensor<128x128xf32>) outs(%z : tensor<1x128xf32>) -> tensor<1x128xf32>
  %c = linalg.add ins(%q, %t : tensor<1x128xf32>, tensor<1x128xf32>) outs(%g : tensor<1x128xf32>) -> tensor<1x128xf32>
  return %c : tensor<1x128xf32>
}

// Where one core computes all, the slices are in its kernel.

// CHECK:       func.func private @small_whole_0
// CHECK-NOT:   func.func private
// CHECK-LABEL: func.func @small(
// CHECK-NEXT:    call @small_whole_0
func.func @small(%x: tensor<2x16xf32>, %h: tensor<1x16xf32>, %w: tensor<16x16xf32>) -> tensor<1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  %a = linalg.matmul ins(%x, %w : tensor<2x16xf32>, tensor<16x16xf32>) outs(%f : tensor<2x16xf32>) -> tensor<2x16xf32>
  %s = tensor.extract_slice %a[0, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<1x16xf32>
  %t = tensor.extract_slice %a[1, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<1x16xf32>
  %g = tensor.empty() : tensor<1x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%g : tensor<1x16xf32>) -> tensor<1x16xf32>
  %p = linalg.matmul ins(%h, %w : tensor<1x16xf32>, tensor<16x16xf32>) outs(%z : tensor<1x16xf32>) -> tensor<1x16xf32>
  %b = linalg.add ins(%p, %s : tensor<1x16xf32>, tensor<1x16xf32>) outs(%g : tensor<1x16xf32>) -> tensor<1x16xf32>
  %c = linalg.add ins(%b, %t : tensor<1x16xf32>, tensor<1x16xf32>) outs(%g : tensor<1x16xf32>) -> tensor<1x16xf32>
  return %c : tensor<1x16xf32>
}
