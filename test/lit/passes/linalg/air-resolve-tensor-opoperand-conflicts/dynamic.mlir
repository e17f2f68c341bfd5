// RUN: allo-opt %s --air-resolve-tensor-opoperand-conflicts | filecheck %s

// CHECK-LABEL: func.func @dynamic(%arg0: tensor<?x4xf32>
// CHECK:         %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK:         %[[T:.*]] = bufferization.alloc_tensor(%[[N]]) : tensor<?x4xf32>
// CHECK:         linalg.add ins(%arg0, %arg1 : {{.*}}) outs(%[[T]] : tensor<?x4xf32>)
func.func @dynamic(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%a : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// A slice put into the tensor it was taken from keeps the rest of it.

// CHECK-LABEL: func.func @insert(%arg0: tensor<4xf32>
// CHECK:         %[[T:.*]] = bufferization.alloc_tensor() copy(%arg0) : tensor<4xf32>
// CHECK:         tensor.insert_slice %arg0 into %[[T]]
func.func @insert(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.insert_slice %a into %a[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}
