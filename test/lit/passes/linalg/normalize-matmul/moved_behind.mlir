// RUN: allo-opt "--normalize-matmul=strict=false" %s | filecheck %s

// What only moves the result of a product is not a kernel after it: the caller does it.

// CHECK-LABEL: func.func private @k(
// CHECK:         linalg.matmul
// CHECK-NOT:     tensor.insert_slice
// CHECK-NOT:     @k_after
// CHECK-LABEL: func.func @main
// CHECK:         %[[MADE:.*]] = call @k(%arg0, %arg1)
// CHECK:         %[[LONG:.*]] = tensor.empty() : tensor<64x72xf32>
// CHECK:         %[[PUT:.*]] = tensor.insert_slice %[[MADE]] into %[[LONG]][0, 0] [64, 64] [1, 1]
// CHECK:         return %[[PUT]]
func.func private @k(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x72xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %l = tensor.empty() : tensor<64x72xf32>
  %p = tensor.insert_slice %c into %l[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x72xf32>
  return %p : tensor<64x72xf32>
}
func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x72xf32> {
  %0 = call @k(%a, %b) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x72xf32>
  return %0 : tensor<64x72xf32>
}
