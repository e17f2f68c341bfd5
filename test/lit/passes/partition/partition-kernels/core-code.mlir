// RUN: allo-opt %s --partition-kernels | filecheck %s --check-prefix=ANY
// RUN: allo-opt %s --partition-kernels="core-code=1200" | filecheck %s

// allo_air.compile gives kernels less code where that of one does not fit into program memory: two functions take 1,120 bytes.

// ANY: func.func private @rows_rows_0
// ANY-SAME: allo.partition = "4 operations in 64 tiles, of {{[0-9]+}} bytes the smallest"
// ANY-NOT: func.func private

// CHECK: func.func private @rows_rows_0
// CHECK-SAME: allo.partition = "2 operations in 64 tiles, {{.*}}; at most 1,200 bytes of code, for program memory"
// CHECK-LABEL: func.func @rows(
// CHECK: %[[A:.*]] = call @rows_rows_0(%arg0)
// CHECK: call @rows_rows_0(%[[A]])
func.func @rows(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = linalg.tanh ins(%x : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = linalg.tanh ins(%0 : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = linalg.tanh ins(%1 : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = linalg.tanh ins(%2 : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}
