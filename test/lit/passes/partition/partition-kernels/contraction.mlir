// RUN: allo-opt %s --partition-kernels | filecheck %s

// Casts in front of a contraction and elementwise operations after it are part of its kernel; equal kernels are one function.
// Constants of one number move into kernels, others are arguments; reshapes stay in the function that calls kernels.

// CHECK: func.func private @main_contraction_0(%[[A:.*]]: tensor<256x512xbf16>, %[[B:.*]]: tensor<512x512xf32>, %[[BIAS:.*]]: tensor<512xf32>) -> tensor<256x512xf32>
// CHECK-SAME: attributes {allo.kernel, allo.partition = "4 operations around linalg.matmul
// CHECK: arith.extf
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: func.func private @main_contraction_1(%{{.*}}: tensor<256x512xf32>, %{{.*}}: tensor<512x512xf32>) -> tensor<256x512xf32>
// CHECK-NOT: func.func private
// CHECK: func.func @main(%[[X:.*]]: tensor<16x16x512xbf16>, %[[V:.*]]: tensor<512x512xf32>, %[[W:.*]]: tensor<512xf32>)
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]]
// CHECK: %[[R0:.*]] = call @main_contraction_0(%[[FLAT]], %[[V]], %[[W]])
// CHECK: %[[DATA:.*]] = arith.constant dense_resource
// CHECK: %[[R1:.*]] = call @main_contraction_1(%[[R0]], %[[DATA]])
// CHECK: %[[R2:.*]] = call @main_contraction_1(%[[R1]], %[[V]])
// CHECK: %[[OUT:.*]] = tensor.expand_shape %[[R2]]
// CHECK: return %[[OUT]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<16x16x512xbf16>, %v: tensor<512x512xf32>, %bias: tensor<512xf32>) -> tensor<16x16x512xf32> {
  %w = arith.constant dense_resource<w> : tensor<512x512xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x512xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<16x16x512xbf16> into tensor<256x512xbf16>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%flat : tensor<256x512xbf16>) outs(%empty : tensor<256x512xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %e = arith.extf %in : bf16 to f32
    linalg.yield %e : f32
  } -> tensor<256x512xf32>
  %0 = linalg.matmul ins(%wide, %v : tensor<256x512xf32>, tensor<512x512xf32>) outs(%zeros : tensor<256x512xf32>) -> tensor<256x512xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<256x512xf32>, tensor<512xf32>) outs(%empty : tensor<256x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<256x512xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<256x512xf32>) outs(%empty : tensor<256x512xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.maximumf %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<256x512xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<256x512xf32>, tensor<512x512xf32>) outs(%zeros : tensor<256x512xf32>) -> tensor<256x512xf32>
  %4 = linalg.matmul ins(%3, %v : tensor<256x512xf32>, tensor<512x512xf32>) outs(%zeros : tensor<256x512xf32>) -> tensor<256x512xf32>
  %r = tensor.expand_shape %4 [[0, 1], [2]] output_shape [16, 16, 512] : tensor<256x512xf32> into tensor<16x16x512xf32>
  return %r : tensor<16x16x512xf32>
}
