// RUN: allo-opt --normalize-matmul=device=npu2 %s | filecheck %s
// RUN: allo-opt --normalize-matmul %s | filecheck %s --check-prefix=ROW
// RUN: allo-opt --normalize-matmul=device=npu2_4col %s | filecheck %s --check-prefix=ROW

// With more columns than rows of cores a vector is B, so that all columns read the matrix; its bias is one for the rows.
// CHECK-LABEL: func.func @bias
// CHECK-SAME: tensor<96x32xbf16>, %{{.*}}: tensor<1x32xbf16>
// CHECK-SAME: -> tensor<96x1xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<96x1xf32>
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<96x1xf32>)
// ROW-LABEL: func.func @bias
// ROW-SAME: -> tensor<1x96xf32>
func.func @bias(%w: tensor<96x32xbf16>, %x: tensor<32xbf16>, %bias: tensor<96xf32>) -> tensor<96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96xf32>) -> tensor<96xf32>
  %c = linalg.matvec ins(%w, %x : tensor<96x32xbf16>, tensor<32xbf16>) outs(%f : tensor<96xf32>) -> tensor<96xf32>
  %g = tensor.empty() : tensor<96xf32>
  %r = linalg.add ins(%c, %bias : tensor<96xf32>, tensor<96xf32>) outs(%g : tensor<96xf32>) -> tensor<96xf32>
  return %r : tensor<96xf32>
}

// So is a matrix of one row, where the other one is large; a small one would pay for more channels than it uses.
// CHECK-LABEL: func.func @row
// CHECK-SAME: tensor<1x256xbf16>, %{{.*}}: tensor<256x512xbf16>) -> tensor<512x1xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<512x1xf32>
// ROW-LABEL: func.func @row
// ROW-SAME: -> tensor<1x512xf32>
func.func @row(%x: tensor<1x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<1x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x512xf32>) -> tensor<1x512xf32>
  %c = linalg.matmul ins(%x, %w : tensor<1x256xbf16>, tensor<256x512xbf16>) outs(%f : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %c : tensor<1x512xf32>
}

// CHECK-LABEL: func.func @short_row
// CHECK-SAME: -> tensor<1x511xf32>
func.func @short_row(%x: tensor<1x256xbf16>, %w: tensor<256x511xbf16>) -> tensor<1x511xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x511xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x511xf32>) -> tensor<1x511xf32>
  %c = linalg.matmul ins(%x, %w : tensor<1x256xbf16>, tensor<256x511xbf16>) outs(%f : tensor<1x511xf32>) -> tensor<1x511xf32>
  return %c : tensor<1x511xf32>
}
