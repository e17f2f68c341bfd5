// RUN: allo-opt --generalize-windows %s | filecheck %s

// Windows that do not overlap are a product of matrices; what no window reaches is left out.

// CHECK-LABEL: func.func @patches(
// CHECK:         tensor.extract_slice %arg0[0, 0, 0, 0] [2, 3, 8, 9] [1, 1, 1, 1]
// CHECK:         tensor.expand_shape {{.*}} into tensor<2x3x4x2x3x3xi32>
// CHECK:         tensor.collapse_shape {{.*}} into tensor<24x18xi32>
// CHECK:         tensor.collapse_shape %arg1 {{.*}} into tensor<5x18xi32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         tensor.expand_shape {{.*}} into tensor<2x4x3x5xi32>
func.func @patches(%x: tensor<2x3x9x9xi32>, %w: tensor<5x3x2x3xi32>) -> tensor<2x5x4x3xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x5x4x3xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x5x4x3xi32>) -> tensor<2x5x4x3xi32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>}
      ins(%x, %w : tensor<2x3x9x9xi32>, tensor<5x3x2x3xi32>) outs(%f : tensor<2x5x4x3xi32>) -> tensor<2x5x4x3xi32>
  return %c : tensor<2x5x4x3xi32>
}

// Windows that overlap stay; so do those with gaps, and each channel by itself.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     tensor.expand_shape
func.func @others(%x: tensor<1x6x6x4xi32>, %w: tensor<3x3x4x2xi32>, %d: tensor<2x2x4xi32>) -> (tensor<1x2x2x2xi32>, tensor<1x3x3x4xi32>) {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x2x2x2xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x6x6x4xi32>, tensor<3x3x4x2xi32>) outs(%f : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
  %g = tensor.empty() : tensor<1x3x3x4xi32>
  %h = linalg.fill ins(%z : i32) outs(%g : tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %d : tensor<1x6x6x4xi32>, tensor<2x2x4xi32>) outs(%h : tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32>
  return %c, %r : tensor<1x2x2x2xi32>, tensor<1x3x3x4xi32>
}
