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

// Channels are the rows if the result then has the convolution's order; a bias of them is added before. The host arranges the
// windows of an argument.
// CHECK-LABEL: func.func @channels_first(
// CHECK:         %[[W:.*]] = linalg.generic {{.*}}ins({{.*}} : tensor<1x3x4x2x4x2xf32>) {{.*}}attrs = {{.*}}allo.brought
// CHECK:         %[[P:.*]] = tensor.collapse_shape %[[W]] {{.*}} into tensor<16x12xf32>
// CHECK:         %[[F:.*]] = tensor.collapse_shape %arg1 {{.*}} into tensor<5x12xf32>
// CHECK:         linalg.generic {{.*}}"reduction"]} ins(%[[F]], %[[P]] : {{.*}}) outs({{.*}} : tensor<5x16xf32>)
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %arg2 : tensor<5x16xf32>, tensor<5xf32>)
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[S]] {{.*}} into tensor<1x5x4x4xf32>
// CHECK-NEXT:    return %[[R]]
func.func @channels_first(%x: tensor<1x3x8x8xf32>, %w: tensor<5x3x2x2xf32>, %b: tensor<5xf32>) -> tensor<1x5x4x4xf32> {
  %e = tensor.empty() : tensor<1x5x4x4xf32>
  %i = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x4x4xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x3x8x8xf32>, tensor<5x3x2x2xf32>) outs(%i : tensor<1x5x4x4xf32>) -> tensor<1x5x4x4xf32>
  return %c : tensor<1x5x4x4xf32>
}

// The windows are the rows if the result is read with the channels last, as in a vision transformer.
// CHECK-LABEL: func.func @channels_last(
// CHECK:         linalg.generic {{.*}}"reduction"]} {{.*}} outs({{.*}} : tensor<16x5xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %arg2 : tensor<16x5xf32>, tensor<5xf32>)
func.func @channels_last(%x: tensor<1x3x8x8xf32>, %w: tensor<5x3x2x2xf32>, %b: tensor<5xf32>) -> tensor<1x16x5xf32> {
  %e = tensor.empty() : tensor<1x5x4x4xf32>
  %i = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x4x4xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x3x8x8xf32>, tensor<5x3x2x2xf32>) outs(%i : tensor<1x5x4x4xf32>) -> tensor<1x5x4x4xf32>
  %q = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<1x5x4x4xf32> into tensor<1x5x16xf32>
  %te = tensor.empty() : tensor<1x16x5xf32>
  %t = linalg.transpose ins(%q : tensor<1x5x16xf32>) outs(%te : tensor<1x16x5xf32>) permutation = [0, 2, 1]
  return %t : tensor<1x16x5xf32>
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
