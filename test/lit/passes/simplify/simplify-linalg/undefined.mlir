// RUN: allo-opt %s --simplify-linalg | filecheck %s

// Elements that nothing has written are moved: they are zeros first. Slices that cover all need none.

// CHECK-LABEL: func.func @circular
// CHECK: %[[Z:.*]] = linalg.fill
// CHECK: tensor.insert_slice %arg0 into %[[Z]][2] [6] [1]
func.func @circular(%x: tensor<6xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = tensor.insert_slice %x into %e[2] [6] [1] : tensor<6xf32> into tensor<8xf32>
  %b = tensor.extract_slice %a[6] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %r = tensor.insert_slice %b into %a[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @joined
// CHECK-NOT: linalg.fill
// CHECK: tensor.concat dim(1) %arg0, %arg1
func.func @joined(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> tensor<2x7xf32> {
  %e = tensor.empty() : tensor<2x7xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x7xf32>
  %b = tensor.insert_slice %y into %a[0, 3] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x7xf32>
  return %b : tensor<2x7xf32>
}

// CHECK-LABEL: func.func @returned
// CHECK: %[[Z:.*]] = linalg.fill
// CHECK: return %[[Z]]
func.func @returned() -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  return %e : tensor<8xf32>
}
