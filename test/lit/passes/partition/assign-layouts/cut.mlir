// RUN: allo-opt --assign-layouts %s | filecheck %s
// RUN: allo-opt --assign-layouts --symbol-dce --canonicalize --verify-each=execute %s

// The maker of a buffer of which the front is handed on writes more after it than zeros: who takes rows of zeros there is
// given them by a kernel, whatever shape it takes them in.

// CHECK-LABEL: func.func private @relayout_0(%arg0: tensor<511x16xf32>) -> tensor<512x16xf32>
// CHECK:         tensor.pad %arg0 low[0, 0] high[1, 0]
// CHECK-LABEL: func.func @f
// CHECK:         %[[LONG:.*]] = call @k
// CHECK:         %[[FRONT:.*]] = tensor.extract_slice %{{.*}}[0] [8176] [1] : tensor<8192xf32> to tensor<8176xf32>
// CHECK:         tensor.expand_shape %[[FRONT]] {{.*}} into tensor<511x16xf32>
// CHECK:         %[[PADDED:.*]] = call @relayout_0
// CHECK:         %[[ROW:.*]] = tensor.collapse_shape %[[PADDED]]
// CHECK:         %[[SHAPED:.*]] = tensor.expand_shape %[[ROW]] {{.*}} into tensor<512x1x16xf32>
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
