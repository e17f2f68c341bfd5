// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions | filecheck %s
// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions --verify-each=execute | filecheck %s

// A row of 800 pixels does not fit a core: blocks lie beside one another, each with the columns that its window needs.

// CHECK-LABEL: func.func private @wide_convolution_0(
// CHECK-SAME:    %arg0: tensor<1x{{[0-9]+}}x[[ADJACENT:[248]|16]]x1x{{[0-9]+}}x{{[0-9]+}}x4x8xbf16>
// CHECK-SAME:    -> tensor<1x{{[0-9]+}}x[[ADJACENT]]x{{[0-9x]+}}xf32>
// CHECK-SAME:    blocks of {{[0-9]+x[0-9]+}} pixels
// CHECK-LABEL: func.func @wide(
// CHECK:         tensor.pad %arg0 low[0, 0, 1, 1]
// CHECK:         call @wide_convolution_0
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 3, 9, 400]
func.func @wide(%x: tensor<1x2x17x799xbf16>, %w: tensor<3x2x3x3xbf16>) -> tensor<1x3x9x400xf32> {
  %z = arith.constant 0.0 : f32
  %zx = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx : bf16
  } : tensor<1x2x17x799xbf16> to tensor<1x2x19x801xbf16>
  %e = tensor.empty() : tensor<1x3x9x400xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x9x400xf32>) -> tensor<1x3x9x400xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%p, %w : tensor<1x2x19x801xbf16>, tensor<3x2x3x3xbf16>) outs(%f : tensor<1x3x9x400xf32>) -> tensor<1x3x9x400xf32>
  return %c : tensor<1x3x9x400xf32>
}
