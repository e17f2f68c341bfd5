// RUN: allo-opt --assign-layouts %s | filecheck %s
// RUN: allo-opt --assign-layouts --symbol-dce --canonicalize --verify-each=execute %s

// The producer's buffer holds other data after the slice, so the row of zeros cannot be read from it. Two streams copy the slice
// and the zeros, in the shape that the consumer takes.

// CHECK-LABEL: func.func private @relayout_0(%arg0: tensor<4x2048xf32>, %arg1: tensor<16xf32>) -> tensor<512x1x16xf32>
// CHECK-SAME:    family = "move"
// CHECK:         tensor.pad %{{.*}} low[0, 0] high[1, 0]
// CHECK-LABEL: func.func @f
// CHECK:         %[[LONG:.*]] = call @k
// CHECK:         %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<16xf32>
// CHECK:         %[[SHAPED:.*]] = call @relayout_0(%[[LONG]], %[[ZEROS]])
// CHECK:         call @l(%[[SHAPED]])
func.func private @k(%a: tensor<4x2048xf32>) -> tensor<4x2048xf32> attributes {allo.kernel} {
  return %a : tensor<4x2048xf32>
}
func.func private @l(%a: tensor<512x1x16xf32>) -> tensor<512x1x16xf32> attributes {allo.kernel} {
  return %a : tensor<512x1x16xf32>
}
func.func @f(%x: tensor<4x2048xf32>) -> tensor<512x1x16xf32> {
  %z = arith.constant 0.0 : f32
  %a = call @k(%x) : (tensor<4x2048xf32>) -> tensor<4x2048xf32>
  %row = tensor.collapse_shape %a [[0, 1]] : tensor<4x2048xf32> into tensor<8192xf32>
  %front = tensor.extract_slice %row[0] [8176] [1] : tensor<8192xf32> to tensor<8176xf32>
  %rows = tensor.expand_shape %front [[0, 1]] output_shape [511, 16] : tensor<8176xf32> into tensor<511x16xf32>
  %p = tensor.pad %rows low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<511x16xf32> to tensor<512x16xf32>
  %s = tensor.expand_shape %p [[0, 1], [2]] output_shape [512, 1, 16] : tensor<512x16xf32> into tensor<512x1x16xf32>
  %b = call @l(%s) : (tensor<512x1x16xf32>) -> tensor<512x1x16xf32>
  return %b : tensor<512x1x16xf32>
}
