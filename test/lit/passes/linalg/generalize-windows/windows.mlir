// RUN: allo-opt %s --generalize-windows | filecheck %s
// RUN: allo-opt %s --generalize-windows --verify-each=execute | filecheck %s

// A convolution adds up from zero; what its result began with is added after it.

// CHECK-LABEL: func.func @bias
// CHECK:       %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : i32)
// CHECK:       %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME:    ins(%arg0, %arg1 : tensor<1x2x9xi32>, tensor<3x2x3xi32>) outs(%[[ZERO]]
// CHECK:       linalg.generic {{.*}} ins(%[[SUM]], %arg2 : tensor<1x3x4xi32>, tensor<1x3x4xi32>)
// CHECK:         arith.addi
func.func @bias(%x: tensor<1x2x9xi32>, %w: tensor<3x2x3xi32>, %b: tensor<1x3x4xi32>) -> tensor<1x3x4xi32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
      ins(%x, %w : tensor<1x2x9xi32>, tensor<3x2x3xi32>) outs(%b : tensor<1x3x4xi32>) -> tensor<1x3x4xi32>
  return %r : tensor<1x3x4xi32>
}

// A window of one pixel is a matrix multiplication.

// CHECK-LABEL: func.func @pixel
// CHECK:       %[[W:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0], [1, 2, 3]] : tensor<3x4x1x1xf32> into tensor<3x4xf32>
// CHECK:       linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME:    ins(%arg0, %[[W]] : tensor<1x4x5x5xf32>, tensor<3x4xf32>)
// CHECK-NOT:   linalg.generic
func.func @pixel(%x: tensor<1x4x5x5xf32>, %w: tensor<3x4x1x1xf32>) -> tensor<1x3x5x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x5x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x4x5x5xf32>, tensor<3x4x1x1xf32>) outs(%f : tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  return %r : tensor<1x3x5x5xf32>
}

// The operand that says how large a pooling's window is holds nothing.

// CHECK-LABEL: func.func @pool
// CHECK:       %[[WINDOW:.*]] = tensor.empty() : tensor<2x2xi8>
// CHECK:       linalg.generic {{.*}} ins(%arg0, %[[WINDOW]] : tensor<1x3x4x6xi8>, tensor<2x2xi8>)
// CHECK:         arith.maxsi
func.func @pool(%x: tensor<1x3x4x6xi8>, %window: tensor<2x2xi8>) -> tensor<1x3x2x3xi8> {
  %z = arith.constant -128 : i8
  %e = tensor.empty() : tensor<1x3x2x3xi8>
  %f = linalg.fill ins(%z : i8) outs(%e : tensor<1x3x2x3xi8>) -> tensor<1x3x2x3xi8>
  %r = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x3x4x6xi8>, tensor<2x2xi8>) outs(%f : tensor<1x3x2x3xi8>) -> tensor<1x3x2x3xi8>
  return %r : tensor<1x3x2x3xi8>
}

// A bias is added as it is, without the tensor that repeats it.

// CHECK-LABEL: func.func @spread
// CHECK:       %[[SUM:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 :
// CHECK:       linalg.generic {{.*}} ins(%[[SUM]], %arg2 : tensor<1x3x7xf32>, tensor<3xf32>)
func.func @spread(%x: tensor<1x2x9xf32>, %w: tensor<3x2x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x7xf32> {
  %e = tensor.empty() : tensor<1x3x7xf32>
  %s = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<1x3x7xf32>) dimensions = [0, 2]
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%x, %w : tensor<1x2x9xf32>, tensor<3x2x3xf32>) outs(%s : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
  return %r : tensor<1x3x7xf32>
}

// Reshapes go in front of paddings, which then stand before the window.

// CHECK-LABEL: func.func @groups
// CHECK:       %[[E:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2], [3]] output_shape [1, 2, 2, 9]
// CHECK:       tensor.pad %[[E]] low[0, 0, 0, 1] high[0, 0, 0, 1]
// CHECK-NOT:   tensor.expand_shape
func.func @groups(%x: tensor<1x4x9xi32>) -> tensor<1x2x2x11xi32> {
  %z = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : i32
  } : tensor<1x4x9xi32> to tensor<1x4x11xi32>
  %e = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [1, 2, 2, 11] : tensor<1x4x11xi32> into tensor<1x2x2x11xi32>
  return %e : tensor<1x2x2x11xi32>
}
