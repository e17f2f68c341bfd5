// RUN: allo-opt %s --partition-kernels | filecheck %s

// Calls of kernels that there are already stay, between those of new ones.

// CHECK: func.func private @given
// CHECK: func.func private @main_rows_0
// CHECK: func.func private @main_rows_1
// CHECK-LABEL: func.func @main(%arg0
// CHECK: %[[A:.*]] = call @main_rows_0(%arg0)
// CHECK: %[[B:.*]] = call @given(%[[A]])
// CHECK: %[[C:.*]] = call @main_rows_1(%[[B]])
// CHECK: return %[[C]]
func.func private @given(%x: tensor<512x512xf32>) -> tensor<512x512xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<512x512xf32>
  %r = linalg.tanh ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x512xf32>
  %0 = linalg.exp ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = call @given(%0) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %2 = linalg.abs ins(%1 : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}
