// RUN: allo-opt %s --generalize-windows --pack-convolutions | filecheck %s
// RUN: allo-opt %s --generalize-windows --pack-convolutions --verify-each=execute | filecheck %s

// Blocks of rows, with those that a window needs on both sides; what pads them is outside of the caller's image. Four pixels of a
// micro-tile are three columns apart. The bias is there for each pixel of a micro-tile.

// CHECK-LABEL: func.func @bias(
// CHECK-SAME:    %arg0: tensor<1x4x2x5x5x4x8xbf16>, %arg1: tensor<2x2x1x3x3x8x4xbf16>, %arg2: tensor<2x1x4x4xf32>
// CHECK-SAME:    -> tensor<1x4x2x1x3x3x4x4xbf16>
// CHECK-SAME:    micro-tile 4x4x8 of pixels along w
// CHECK-SAME:    {outside = 0.000000e+00 : bf16, rows = [array<i64: 0, 1, 0, 0, 0, 0, 0, 0>, array<i64: 0, 0, 0, 8, 0, 0, 0, 1>,
// CHECK-SAME:      array<i64: -1, 0, 3, 0, 1, 0, 0, 0>, array<i64: -1, 0, 0, 0, 0, 1, 3, 0>]}
// CHECK-SAME:    allo_air.host_shapes = [array<i64: 1, 9, 11, 11>, array<i64: 6, 9, 3, 3>, array<i64: 6>, array<i64: 1, 6, 11, 11>]
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}}
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %arg2 :
// CHECK:           arith.truncf
func.func @bias(%x: tensor<1x9x11x11xbf16>, %w: tensor<6x9x3x3xbf16>, %b: tensor<6xf32>) -> tensor<1x6x11x11xbf16> {
  %z = arith.constant 0.0 : f32
  %zx = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx : bf16
  } : tensor<1x9x11x11xbf16> to tensor<1x9x13x13xbf16>
  %e = tensor.empty() : tensor<1x6x11x11xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x11x11xf32>) -> tensor<1x6x11x11xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x9x13x13xbf16>, tensor<6x9x3x3xbf16>) outs(%f : tensor<1x6x11x11xf32>) -> tensor<1x6x11x11xf32>
  %o = tensor.empty() : tensor<1x6x11x11xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>,
      affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x6x11x11xf32>, tensor<6xf32>) outs(%o : tensor<1x6x11x11xbf16>) {
  ^bb0(%s: f32, %t: f32, %u: bf16):
    %1 = arith.addf %s, %t : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<1x6x11x11xbf16>
  return %r : tensor<1x6x11x11xbf16>
}

// Channels last, in one dimension.

// CHECK-LABEL: func.func @line
// CHECK-SAME:    tensor<2x1x1x1x{{[0-9]+}}x4x8xi8>
func.func @line(%x: tensor<2x30x8xi8>, %w: tensor<3x8x16xi8>) -> tensor<2x28x16xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x28x16xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x28x16xi32>) -> tensor<2x28x16xi32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%x, %w : tensor<2x30x8xi8>, tensor<3x8x16xi8>) outs(%f : tensor<2x28x16xi32>) -> tensor<2x28x16xi32>
  return %c : tensor<2x28x16xi32>
}

// f32 has no such instruction.

// CHECK-LABEL: func.func @scalar
// CHECK-SAME:    (%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32> {
func.func @scalar(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) outs(%f : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %c : tensor<1x4x6x6xf32>
}

// An image that is added to the result, too, would be in two layouts.

// CHECK-LABEL: func.func @residual
// CHECK-SAME:    (%arg0: tensor<1x16x8x8xbf16>, %arg1: tensor<16x16x3x3xbf16>) -> tensor<1x16x8x8xf32> {
func.func @residual(%x: tensor<1x16x8x8xbf16>, %w: tensor<16x16x3x3xbf16>) -> tensor<1x16x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %zx = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx : bf16
  } : tensor<1x16x8x8xbf16> to tensor<1x16x10x10xbf16>
  %e = tensor.empty() : tensor<1x16x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x16x10x10xbf16>, tensor<16x16x3x3xbf16>) outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>,
      affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %x : tensor<1x16x8x8xf32>, tensor<1x16x8x8xbf16>) outs(%e : tensor<1x16x8x8xf32>) {
  ^bb0(%s: f32, %t: bf16, %u: f32):
    %1 = arith.extf %t : bf16 to f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x8x8xf32>
  return %r : tensor<1x16x8x8xf32>
}
