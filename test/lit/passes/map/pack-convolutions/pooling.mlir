// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions | filecheck %s
// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions --verify-each=execute | filecheck %s

// A pooling between convolutions reads and writes the channels of a pixel side by side, and callers pad its image. One that
// others read, too, keeps its order.

// CHECK-LABEL: func.func private @pooled_convolution_1(
// CHECK-SAME:    %{{.*}}: tensor<1x18x18x32xf32>) -> tensor<1x8x8x32xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         arith.maximumf
// CHECK-LABEL: func.func @pooled(
// CHECK:         %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK:         tensor.pad {{.*}} low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:           tensor.yield %[[LEAST]]
// CHECK:         %[[POOLED:.*]] = call @pooled_convolution_1(
// CHECK:         tensor.pad %[[POOLED]] low[0, 1, 1, 0]
// CHECK:         call @pooled_convolution_2(
func.func @pooled(%x: tensor<1x16x16x16xf32>, %w: tensor<32x16x3x3xf32>, %v: tensor<32x32x3x3xf32>) -> tensor<1x32x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x32x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %g = tensor.empty() : tensor<1x32x8x8xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%g : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %begin = linalg.fill ins(%least : f32) outs(%g : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x16x16x16xf32> to tensor<1x16x18x18xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x16x18x18xf32>, tensor<32x16x3x3xf32>) outs(%f : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %q = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %least : f32
  } : tensor<1x32x16x16xf32> to tensor<1x32x18x18xf32>
  %m = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%q, %window : tensor<1x32x18x18xf32>, tensor<3x3xf32>) outs(%begin : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %r = tensor.pad %m low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x32x8x8xf32> to tensor<1x32x10x10xf32>
  %d = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%r, %v : tensor<1x32x10x10xf32>, tensor<32x32x3x3xf32>) outs(%zeros : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %d : tensor<1x32x8x8xf32>
}

// CHECK-LABEL: func.func private @returned_convolution_1(
// CHECK-SAME:    %{{.*}}: tensor<1x32x16x16xf32>) -> tensor<1x32x8x8xf32>
func.func @returned(%x: tensor<1x16x18x18xf32>, %w: tensor<32x16x3x3xf32>) -> tensor<1x32x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x32x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %g = tensor.empty() : tensor<1x32x8x8xf32>
  %begin = linalg.fill ins(%least : f32) outs(%g : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x16x18x18xf32>, tensor<32x16x3x3xf32>) outs(%f : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %m = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%c, %window : tensor<1x32x16x16xf32>, tensor<2x2xf32>) outs(%begin : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %m : tensor<1x32x8x8xf32>
}
