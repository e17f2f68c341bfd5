// RUN: allo-opt %s --simplify-linalg | filecheck %s

// Negative padding crops: a slice, of which the rest is padded.

// CHECK-LABEL: func.func @crop
// CHECK:         %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 1] [2, 3] [1, 1] : tensor<3x4xf32> to tensor<2x3xf32>
// CHECK:         tensor.pad %[[PART]] low[0, 0] high[0, 2]
// CHECK:         : tensor<2x3xf32> to tensor<2x5xf32>
func.func @crop(%x: tensor<3x4xf32>) -> tensor<2x5xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[0, -1] high[-1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x4xf32> to tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// Numbers of i64 are padded in both words.

// CHECK-LABEL: func.func @wide
// CHECK-COUNT-2: tensor.pad %{{.*}} low[0, 1] high[0, 1]
func.func @wide(%x: tensor<3x5xi64>) -> tensor<3x7xi64> {
  %seven = arith.constant 7 : i64
  %r = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %seven : i64
  } : tensor<3x5xi64> to tensor<3x7xi64>
  return %r : tensor<3x7xi64>
}
