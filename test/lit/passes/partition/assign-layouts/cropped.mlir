// RUN: allo-opt --assign-layouts %s | filecheck %s
// RUN: allo-opt --assign-layouts --symbol-dce --canonicalize --verify-each=execute %s

// Rows without their last elements: streams copy them. One stream is enough, so that one idle channel in each direction carries it.

// CHECK-LABEL: func.func private @relayout_0(%arg0: tensor<64x72xi32>) -> tensor<64x67xi32>
// CHECK-SAME:    allo.columns = {chosen = "1 of 4: other kernels can carry the streams of one shim"
// CHECK-SAME:    chosen = "1 stream; about
// CHECK:         tensor.extract_slice %arg0[0, 0] [64, 67] [1, 1]
// CHECK-LABEL: func.func @f
// CHECK:         %[[LONG:.*]] = call @k
// CHECK:         %[[SHORT:.*]] = call @relayout_0(%[[LONG]])
// CHECK:         call @l(%[[SHORT]])
func.func private @k(%a: tensor<64x72xi32>) -> tensor<64x72xi32> attributes {allo.kernel} {
  return %a : tensor<64x72xi32>
}
func.func private @l(%a: tensor<64x67xi32>) -> tensor<64x67xi32> attributes {allo.kernel} {
  return %a : tensor<64x67xi32>
}
func.func @f(%x: tensor<64x72xi32>) -> tensor<64x67xi32> {
  %a = call @k(%x) : (tensor<64x72xi32>) -> tensor<64x72xi32>
  %s = tensor.extract_slice %a[0, 0] [64, 67] [1, 1] : tensor<64x72xi32> to tensor<64x67xi32>
  %b = call @l(%s) : (tensor<64x67xi32>) -> tensor<64x67xi32>
  return %b : tensor<64x67xi32>
}
