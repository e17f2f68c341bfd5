// Rows of broken words that are padded have no tiles of whole words: their elements pass as numbers of 32 bits.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// CHECK-LABEL: func.func private @cast_0(%arg0: tensor<{{.*}}xbf16>) -> tensor<{{.*}}xf32>
// CHECK:         arith.extf
// CHECK-LABEL: func.func private @cast_1(%arg0: tensor<{{.*}}xf32>) -> tensor<{{.*}}xbf16>
// CHECK:         arith.truncf
// CHECK-LABEL: func.func private @padded(%arg0: tensor<{{.*}}x31xf32>) -> tensor<{{.*}}x33xf32>
// CHECK:         arith.truncf
// CHECK:         tensor.pad
// CHECK:         : tensor<1001x31xbf16> to tensor<1001x33xbf16>
// CHECK:         arith.extf
// CHECK-LABEL: func.func @main
// CHECK:         call @cast_0
// CHECK:         call @padded
// CHECK:         call @cast_1
func.func private @padded(%x: tensor<1001x31xbf16>) -> tensor<1001x33xbf16> attributes {allo.kernel} {
  %z = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 2] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : bf16
  } : tensor<1001x31xbf16> to tensor<1001x33xbf16>
  %e = tensor.empty() : tensor<1001x33xbf16>
  %c = linalg.copy ins(%p : tensor<1001x33xbf16>) outs(%e : tensor<1001x33xbf16>) -> tensor<1001x33xbf16>
  return %c : tensor<1001x33xbf16>
}
func.func @main(%x: tensor<1001x31xbf16>) -> tensor<1001x33xbf16> {
  %0 = call @padded(%x) : (tensor<1001x31xbf16>) -> tensor<1001x33xbf16>
  return %0 : tensor<1001x33xbf16>
}
