// RUN: allo-opt %s --assign-layouts | filecheck %s

// A concatenation, which is visited after the calls, and a kernel after it read one tensor in one longer buffer. The buffer and
// the relayout before it come before both.

func.func private @more(%x: tensor<8x5xbf16>) -> tensor<8x5xbf16> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<8x5xbf16>
  %r = linalg.exp ins(%x : tensor<8x5xbf16>) outs(%e : tensor<8x5xbf16>) -> tensor<8x5xbf16>
  return %r : tensor<8x5xbf16>
}
func.func private @k(%x: tensor<7x3xbf16>) -> tensor<7x3xbf16> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<7x3xbf16>
  %r = linalg.tanh ins(%x : tensor<7x3xbf16>) outs(%e : tensor<7x3xbf16>) -> tensor<7x3xbf16>
  return %r : tensor<7x3xbf16>
}

// CHECK-LABEL: func.func @f(
// CHECK:         %[[A:.*]] = call @k(
// CHECK:         %[[WIDE:.*]] = call @relayout_{{.*}}(%[[A]]) : (tensor<7x3xbf16>) -> tensor<7x5xbf16>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[WIDE]]
// CHECK:         tensor.insert_slice %[[FLAT]] into %{{.*}}[0] [35] [1] : tensor<35xbf16> into tensor<40xbf16>
// CHECK-NOT:     tensor<35xbf16> into tensor<40xbf16>
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}} [1] {allo.in_place}
// CHECK-NOT:     tensor<35xbf16> into tensor<40xbf16>
// CHECK:         call @more(
func.func @f(%x: tensor<7x3xbf16>) -> (tensor<16x5xbf16>, tensor<8x5xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %z = arith.constant dense<0.0> : tensor<8x5xbf16>
  %b = call @more(%z) : (tensor<8x5xbf16>) -> tensor<8x5xbf16>
  %a = call @k(%x) : (tensor<7x3xbf16>) -> tensor<7x3xbf16>
  %p = tensor.pad %a low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<7x3xbf16> to tensor<7x5xbf16>
  %e = tensor.empty() : tensor<8x5xbf16>
  %l = tensor.insert_slice %p into %e[0, 0] [7, 5] [1, 1] : tensor<7x5xbf16> into tensor<8x5xbf16>
  %j = tensor.concat dim(0) %l, %b {allo.in_place} : (tensor<8x5xbf16>, tensor<8x5xbf16>) -> tensor<16x5xbf16>
  %c = call @more(%l) : (tensor<8x5xbf16>) -> tensor<8x5xbf16>
  return %j, %c : tensor<16x5xbf16>, tensor<8x5xbf16>
}
