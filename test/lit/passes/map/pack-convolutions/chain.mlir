// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions | filecheck %s
// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions --verify-each=execute | filecheck %s

// Between convolutions the channels of a pixel lie side by side, also where the second one was packed before the first, as it
// is the kernel of another call, too. What the caller gets is in its own order.

// CHECK-LABEL: func.func @chain(
// CHECK:         call @chain_convolution_0(
// CHECK:         tensor.collapse_shape {{.*}} into tensor<1x24x24x64xf32>
// CHECK:         tensor.pad {{.*}} low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:         call @chain_convolution_0(
// CHECK:         %[[C:.*]] = tensor.collapse_shape {{.*}} into tensor<1x64x24x24xf32>
// CHECK:         return %[[C]]
func.func @chain(%x: tensor<1x64x24x24xf32>, %w: tensor<64x64x3x3xf32>, %v: tensor<64x64x3x3xf32>) -> tensor<1x64x24x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x24x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x64x24x24xf32>) -> tensor<1x64x24x24xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x64x24x24xf32> to tensor<1x64x26x26xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x64x26x26xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x24x24xf32>) -> tensor<1x64x24x24xf32>
  %q = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x64x24x24xf32> to tensor<1x64x26x26xf32>
  %d = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%q, %v : tensor<1x64x26x26xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x24x24xf32>) -> tensor<1x64x24x24xf32>
  return %d : tensor<1x64x24x24xf32>
}
