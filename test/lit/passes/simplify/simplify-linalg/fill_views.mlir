// The destination of a fill is a new tensor, not a view of one: convolutions in groups with computed weights had no tiles.
// RUN: allo-opt %s --simplify-linalg | filecheck %s
// RUN: allo-run %s --device npu2 --estimate | filecheck %s --check-prefix=ESTIMATE

// CHECK-LABEL: func.func @main
// CHECK-NOT:     tensor.expand_shape
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1x4x4x6x6xf32>
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%[[E]]
// CHECK:         linalg.conv_2d_ngchw_gfchw
// ESTIMATE:      estimated:
func.func @main(%x: tensor<1x4x8x8x8xf32>, %w: tensor<4x4x8x3x3xf32>) -> tensor<1x4x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x6x6xf32>
  %view = tensor.expand_shape %e [[0], [1, 2], [3], [4]] output_shape [1, 4, 4, 6, 6] : tensor<1x16x6x6xf32> into tensor<1x4x4x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%view : tensor<1x4x4x6x6xf32>) -> tensor<1x4x4x6x6xf32>
  %y = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x4x8x8x8xf32>, tensor<4x4x8x3x3xf32>) outs(%init : tensor<1x4x4x6x6xf32>) -> tensor<1x4x4x6x6xf32>
  return %y : tensor<1x4x4x6x6xf32>
}
