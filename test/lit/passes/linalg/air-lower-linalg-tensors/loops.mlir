// RUN: allo-opt %s --air-lower-linalg-tensors | filecheck %s

// CHECK-LABEL: func.func @tensors
// CHECK-SAME:    (%[[A:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<4x8xf32>) -> memref<4x8xf32>
// CHECK:         affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      affine.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:        %[[X:.*]] = affine.load %[[A]][%[[I]], %[[J]]]
// CHECK:             arith.addf %[[X]]
// CHECK:             affine.store
// CHECK-NOT:     linalg
func.func @tensors(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.add ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @buffers
// CHECK-COUNT-3: affine.for
// CHECK:         arith.mulf
// CHECK:         arith.addf
// CHECK:         affine.store
func.func @buffers(%a: memref<4x4xf32, 2>, %b: memref<4x4xf32, 2>, %c: memref<4x4xf32, 2>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32, 2>, memref<4x4xf32, 2>) outs(%c : memref<4x4xf32, 2>)
  return
}
