// RUN: allo-opt --assign-layouts %s | filecheck %s

// Kernels take whole rows of a result where they are. Columns of it, which have gaps, come from a kernel, which copies them, so that it has
// tiles.

func.func private @k(%a: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {allo.kernel} {
  return %a : tensor<4x8xf32>
}
func.func private @rows(%a: tensor<2x8xf32>) -> tensor<2x8xf32> attributes {allo.kernel} {
  return %a : tensor<2x8xf32>
}
func.func private @columns(%a: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {allo.kernel} {
  return %a : tensor<4x4xf32>
}
// CHECK:       func.func private @[[COLUMNS:relayout_.*]](%{{.*}}: tensor<4x8xf32>) -> tensor<4x4xf32> attributes {allo.kernel}
// CHECK:         linalg.copy
// CHECK-NOT:   relayout
// CHECK-LABEL: func.func @f
// CHECK:         %[[A:.*]] = call @k
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[A]][2, 0] [2, 8] [1, 1]
// CHECK:         call @rows(%[[S]])
// CHECK:         %[[T:.*]] = call @[[COLUMNS]](%[[A]])
// CHECK:         call @columns(%[[T]])
func.func @f(%x: tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<4x4xf32>) {
  %a = call @k(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = tensor.extract_slice %a[2, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %b = call @rows(%s) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %t = tensor.extract_slice %a[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %c = call @columns(%t) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b, %c : tensor<2x8xf32>, tensor<4x4xf32>
}
