// RUN: allo-opt %s --split-input-file --generalize-windows --partition-kernels --pack-convolutions | filecheck %s
// RUN: allo-opt %s --split-input-file --generalize-windows --partition-kernels --pack-convolutions --verify-each=execute | filecheck %s

// Blocks of rows, with those that a window needs on both sides; what pads them is added before the copy. Four pixels of a
// micro-tile are three columns apart. The bias is there for each pixel of a micro-tile.

// CHECK-LABEL: func.func private @bias_convolution_0(
// CHECK-SAME:    %arg0: tensor<1x2x1x2x8x5x4x8xbf16>, %arg1: tensor<1x2x2x3x3x8x4xbf16>, %arg2: tensor<1x2x4x4xf32>
// CHECK-SAME:    -> tensor<1x2x1x1x2x6x3x4x4xbf16>
// CHECK-SAME:    micro-tile 4x4x8 of pixels along w
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}}
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %arg2 :
// CHECK:           arith.truncf
// CHECK-LABEL: func.func @bias(
// CHECK:         %[[PAD:.*]] = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 7, 2, 2]
// CHECK:         linalg.generic {{.*}} ins(%[[PAD]] : tensor<1x16x14x14xbf16>) outs(%{{.*}} : tensor<1x2x1x2x8x5x4x8xbf16>)
// CHECK:         call @bias_convolution_0
// CHECK:         tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2, 3], [4, 5, 6], [7, 8]] : {{.*}} into tensor<1x8x12x12xbf16>
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 6, 11, 11]
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

// -----

// Channels last, in one dimension.

// CHECK-LABEL: func.func private @line_convolution_0
// CHECK-SAME:    tensor<2x1x1x1x1x{{[0-9]+}}x4x8xi8>
func.func @line(%x: tensor<2x30x8xi8>, %w: tensor<3x8x16xi8>) -> tensor<2x28x16xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x28x16xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x28x16xi32>) -> tensor<2x28x16xi32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%x, %w : tensor<2x30x8xi8>, tensor<3x8x16xi8>) outs(%f : tensor<2x28x16xi32>) -> tensor<2x28x16xi32>
  return %c : tensor<2x28x16xi32>
}

// -----

// A small one between other kernels: packing it would take longer than computing it.

// CHECK-LABEL: func.func private @small_convolution_0
// CHECK-SAME:    (%arg0: tensor<1x2x24x24xbf16>, %arg1: tensor<4x2x3x3xbf16>) -> tensor<1x4x22x22xf32>
func.func @small(%x: tensor<1x2x24x24xbf16>, %w: tensor<4x2x3x3xbf16>, %v: tensor<1x4x3x3xf32>) -> tensor<1x1x20x20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x22x22xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x22x22xf32>) -> tensor<1x4x22x22xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x2x24x24xbf16>, tensor<4x2x3x3xbf16>) outs(%f : tensor<1x4x22x22xf32>) -> tensor<1x4x22x22xf32>
  %o = tensor.empty() : tensor<1x1x20x20xf32>
  %g = linalg.fill ins(%z : f32) outs(%o : tensor<1x1x20x20xf32>) -> tensor<1x1x20x20xf32>
  %d = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%c, %v : tensor<1x4x22x22xf32>, tensor<1x4x3x3xf32>) outs(%g : tensor<1x1x20x20xf32>) -> tensor<1x1x20x20xf32>
  return %d : tensor<1x1x20x20xf32>
}

// -----

// A larger one between other kernels is packed: what unpacks it shares the array with others, and costs some columns.

// CHECK-LABEL: func.func private @larger_convolution_0
// CHECK-SAME:    (%arg0: tensor<1x{{.*}}x8xbf16>, %arg1: tensor<{{.*}}x8x4xbf16>)
// CHECK-LABEL: func.func private @larger_convolution_1
// CHECK-SAME:    (%arg0: tensor<1x1x22x22xf32>, %arg1: tensor<1x1x3x3xf32>) -> tensor<1x1x20x20xf32>
func.func @larger(%x: tensor<1x64x24x24xbf16>, %w: tensor<1x64x3x3xbf16>, %v: tensor<1x1x3x3xf32>) -> tensor<1x1x20x20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x22x22xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x1x22x22xf32>) -> tensor<1x1x22x22xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x64x24x24xbf16>, tensor<1x64x3x3xbf16>) outs(%f : tensor<1x1x22x22xf32>) -> tensor<1x1x22x22xf32>
  %o = tensor.empty() : tensor<1x1x20x20xf32>
  %g = linalg.fill ins(%z : f32) outs(%o : tensor<1x1x20x20xf32>) -> tensor<1x1x20x20xf32>
  %d = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%c, %v : tensor<1x1x22x22xf32>, tensor<1x1x3x3xf32>) outs(%g : tensor<1x1x20x20xf32>) -> tensor<1x1x20x20xf32>
  return %d : tensor<1x1x20x20xf32>
}

// -----

// An image that is added to the result, too, is packed twice.

// CHECK-LABEL: func.func private @residual_convolution_0
// CHECK-SAME:    (%arg0: tensor<1x{{.*}}x8xbf16>, %arg1: tensor<{{.*}}x8x4xbf16>, %arg2: tensor<{{.*}}x4x4xbf16>)
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

// -----

// Between convolutions whose rows are not whole words channels are last.

// CHECK-LABEL: func.func @odd(
// CHECK:         call @odd_convolution_0
// CHECK:         tensor.collapse_shape {{.*}} into tensor<1x{{[0-9]+}}x{{[0-9]+}}x16xbf16>
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 23, 23, 16] [1, 1, 1, 1]
// CHECK:         tensor.pad {{.*}} low[0, 1, 1, 0]
// CHECK:         call @odd_convolution_0
func.func @odd(%a0: tensor<1x16x23x23xbf16>, %a1: tensor<16x16x3x3xbf16>, %a2: tensor<16x16x3x3xbf16>) -> tensor<1x16x23x23xbf16> {
  %zx = arith.constant 0.0 : bf16
  %z = arith.constant 0.0 : f32
  %p0 = tensor.pad %a0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx : bf16
  } : tensor<1x16x23x23xbf16> to tensor<1x16x25x25xbf16>
  %e0 = tensor.empty() : tensor<1x16x23x23xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<1x16x23x23xf32>) -> tensor<1x16x23x23xf32>
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %a1 : tensor<1x16x25x25xbf16>, tensor<16x16x3x3xbf16>) outs(%f0 : tensor<1x16x23x23xf32>) -> tensor<1x16x23x23xf32>
  %o0 = tensor.empty() : tensor<1x16x23x23xbf16>
  %r0 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>,affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types=["parallel","parallel","parallel","parallel"]} ins(%c0 : tensor<1x16x23x23xf32>) outs(%o0 : tensor<1x16x23x23xbf16>) {
  ^bb0(%u: f32, %v: bf16):
    %q = arith.truncf %u : f32 to bf16
    linalg.yield %q : bf16
  } -> tensor<1x16x23x23xbf16>
  %p1 = tensor.pad %r0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx : bf16
  } : tensor<1x16x23x23xbf16> to tensor<1x16x25x25xbf16>
  %e1 = tensor.empty() : tensor<1x16x23x23xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<1x16x23x23xf32>) -> tensor<1x16x23x23xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p1, %a2 : tensor<1x16x25x25xbf16>, tensor<16x16x3x3xbf16>) outs(%f1 : tensor<1x16x23x23xf32>) -> tensor<1x16x23x23xf32>
  %o1 = tensor.empty() : tensor<1x16x23x23xbf16>
  %r1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>,affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types=["parallel","parallel","parallel","parallel"]} ins(%c1 : tensor<1x16x23x23xf32>) outs(%o1 : tensor<1x16x23x23xbf16>) {
  ^bb0(%u: f32, %v: bf16):
    %q = arith.truncf %u : f32 to bf16
    linalg.yield %q : bf16
  } -> tensor<1x16x23x23xbf16>
  return %r1 : tensor<1x16x23x23xbf16>
}
