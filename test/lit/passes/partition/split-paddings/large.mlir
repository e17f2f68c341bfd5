// RUN: allo-opt %s --split-input-file --generalize-movement --generalize-windows --partition-kernels --split-paddings | filecheck %s

// A plane of 130 x 130 does not fit a core, padded: rows stay with the convolution, columns become a kernel, which is one for
// both calls.

// CHECK-LABEL: func.func private @padding_0(%arg0: tensor<1x1x128x128xi32>) -> tensor<1x1x128x130xi32> attributes {allo.kernel}
// CHECK:         tensor.pad %arg0 low[0, 0, 0, 1] high[0, 0, 0, 1]
// CHECK:         linalg.copy
// CHECK-LABEL: func.func private @large_convolution_0(
// CHECK-SAME:    tensor<1x1x128x130xi32>
// CHECK:         tensor.pad %{{.*}} low[0, 0, 1, 0] high[0, 0, 1, 0]
// CHECK-LABEL: func.func @large(
// CHECK:         %[[FIRST:.*]] = call @padding_0(%arg0)
// CHECK:         call @large_convolution_0(%[[FIRST]], %arg2)
// CHECK:         %[[SECOND:.*]] = call @padding_0(%arg1)
// CHECK:         call @large_convolution_0(%[[SECOND]], %arg2)
func.func @large(%x: tensor<1x1x128x128xi32>, %y: tensor<1x1x128x128xi32>, %w: tensor<1x1x3x3xi32>)
    -> (tensor<1x1x128x128xi32>, tensor<1x1x128x128xi32>) {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x1x128x128xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x1x128x128xi32>) -> tensor<1x1x128x128xi32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : i32
  } : tensor<1x1x128x128xi32> to tensor<1x1x130x130xi32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x1x130x130xi32>, tensor<1x1x3x3xi32>) outs(%f : tensor<1x1x128x128xi32>) -> tensor<1x1x128x128xi32>
  %q = tensor.pad %y low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : i32
  } : tensor<1x1x128x128xi32> to tensor<1x1x130x130xi32>
  %d = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%q, %w : tensor<1x1x130x130xi32>, tensor<1x1x3x3xi32>) outs(%f : tensor<1x1x128x128xi32>) -> tensor<1x1x128x128xi32>
  return %c, %d : tensor<1x1x128x128xi32>, tensor<1x1x128x128xi32>
}

// -----

// A plane of 30 x 30 fits: it is padded in the core, in one step.

// CHECK-LABEL: func.func private @small_convolution_0(
// CHECK-SAME:    tensor<1x1x28x28xi32>
// CHECK:         tensor.pad %{{.*}} low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK-LABEL: func.func @small(
// CHECK-NOT:     @padding
func.func @small(%x: tensor<1x1x28x28xi32>, %w: tensor<1x1x3x3xi32>) -> tensor<1x1x28x28xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x1x28x28xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x1x28x28xi32>) -> tensor<1x1x28x28xi32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : i32
  } : tensor<1x1x28x28xi32> to tensor<1x1x30x30xi32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x1x30x30xi32>, tensor<1x1x3x3xi32>) outs(%f : tensor<1x1x28x28xi32>) -> tensor<1x1x28x28xi32>
  return %c : tensor<1x1x28x28xi32>
}
