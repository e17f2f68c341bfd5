// RUN: allo-opt %s --split-input-file --generalize-windows --partition-kernels --pack-convolutions | filecheck %s
// RUN: allo-opt %s --split-input-file --generalize-windows --partition-kernels --pack-convolutions --verify-each=execute | filecheck %s

// Vectors of 16 channels; each core has an image of its own. 19 channels are in two blocks of 16.

// CHECK-LABEL: func.func private @last_convolution_0(
// CHECK-SAME:    %arg0: tensor<1x{{[0-9]+}}x{{[124]}}x2x{{[0-9]+}}x15x1x16xbf16>, %arg1: tensor<2x1x3x3x16xbf16>
// CHECK-SAME:    -> tensor<1x{{[0-9]+}}x{{[124]}}x2x1x{{[0-9]+}}x13x1x16xf32>
// CHECK-SAME:    elementwise
// CHECK:         linalg.generic
// CHECK-SAME:      "reduction", "reduction", "parallel", "parallel"]
// CHECK-LABEL: func.func @last(
// CHECK:         tensor.pad %arg0 low[0, 1, 1, 0]
// CHECK:         call @last_convolution_0
func.func @last(%x: tensor<1x13x13x19xbf16>, %w: tensor<3x3x19xbf16>) -> tensor<1x13x13x19xf32> {
  %z = arith.constant 0.0 : f32
  %zx = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx : bf16
  } : tensor<1x13x13x19xbf16> to tensor<1x15x15x19xbf16>
  %e = tensor.empty() : tensor<1x13x13x19xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x13x13x19xf32>) -> tensor<1x13x13x19xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x15x15x19xbf16>, tensor<3x3x19xbf16>) outs(%f : tensor<1x13x13x19xf32>) -> tensor<1x13x13x19xf32>
  return %c : tensor<1x13x13x19xf32>
}

// -----

// Channels first, a stride, two images, an elementwise operation after.

// CHECK-LABEL: func.func private @first_convolution_0(
// CHECK-SAME:    tensor<2x{{[0-9x]+}}x16xbf16>, %arg1: tensor<{{[0-9]+}}x1x3x3x16xbf16>
// CHECK-LABEL: func.func @first(
func.func @first(%x: tensor<2x5x41x40xbf16>, %w: tensor<5x3x3xbf16>) -> tensor<2x5x20x19xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x20x19xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x5x20x19xf32>) -> tensor<2x5x20x19xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<2x5x41x40xbf16>, tensor<5x3x3xbf16>) outs(%f : tensor<2x5x20x19xf32>) -> tensor<2x5x20x19xf32>
  %o = tensor.empty() : tensor<2x5x20x19xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x5x20x19xf32>) outs(%o : tensor<2x5x20x19xf32>) {
  ^bb0(%s: f32, %u: f32):
    %1 = arith.maximumf %s, %z : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x20x19xf32>
  return %r : tensor<2x5x20x19xf32>
}

// -----

// Eight channels of integers are multiplied by a matrix with their weights on its diagonal: beside it is what pads them.

// CHECK: #[[DIAGONAL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d0 * 8 + d1 * 128 + d5 * 16 - d6 * 15 + 105)>
// CHECK-LABEL: func.func private @eights_convolution_0(
// CHECK-SAME:    tensor<1x{{[0-9]+x[0-9]+}}x2x1x{{[0-9x]+}}x4x8xi8>, %arg1: tensor<2x1x1x3x3x8x8xi8>
// CHECK-SAME:    micro-tile 4x8x8
// CHECK-LABEL: func.func @eights(
// CHECK:         tensor.pad %arg1
// CHECK:         linalg.generic {indexing_maps = [#[[DIAGONAL]]
func.func @eights(%x: tensor<1x22x22x13xi8>, %w: tensor<3x3x13xi8>) -> tensor<1x20x20x13xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x20x20x13xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x20x20x13xi32>) -> tensor<1x20x20x13xi32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x22x22x13xi8>, tensor<3x3x13xi8>) outs(%f : tensor<1x20x20x13xi32>) -> tensor<1x20x20x13xi32>
  return %c : tensor<1x20x20x13xi32>
}

// -----

// There are no contractions of i32.

// CHECK-LABEL: func.func private @words_convolution_0(
// CHECK-SAME:    elementwise
func.func @words(%x: tensor<1x22x22x16xi32>, %w: tensor<3x3x16xi32>) -> tensor<1x20x20x16xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x20x20x16xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x20x20x16xi32>) -> tensor<1x20x20x16xi32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x22x22x16xi32>, tensor<3x3x16xi32>) outs(%f : tensor<1x20x20x16xi32>) -> tensor<1x20x20x16xi32>
  return %c : tensor<1x20x20x16xi32>
}
