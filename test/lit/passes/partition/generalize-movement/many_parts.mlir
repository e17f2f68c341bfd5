// RUN: allo-opt %s --generalize-movement | filecheck %s

// A core has no descriptors for eight parts and their result: they come in groups of four.
// CHECK-LABEL: func.func @equal(
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%arg0, %arg0, %arg0, %arg0 : {{.*}}) outs(%{{.*}} : tensor<4x1x8xf32>)
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%arg1, %arg1, %arg1, %arg1 : {{.*}}) outs(%{{.*}} : tensor<4x1x8xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x8xf32>)
func.func @equal(%x: tensor<1x8xf32>, %y: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %r = tensor.concat dim(0) %x, %x, %x, %x, %y, %y, %y, %y : (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// Groups of a number that nothing divides are not of one size.
// CHECK-LABEL: func.func @prime(
// CHECK:         tensor.concat dim(1) %{{.*}}, %{{.*}} : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<8x9xf32>
func.func @prime(%x: tensor<8x1xf32>, %y: tensor<8x3xf32>) -> tensor<8x9xf32> {
  %r = tensor.concat dim(1) %x, %x, %x, %x, %x, %x, %y : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x3xf32>) -> tensor<8x9xf32>
  return %r : tensor<8x9xf32>
}
