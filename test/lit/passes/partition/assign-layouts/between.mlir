// RUN: allo-opt --assign-layouts %s | filecheck %s
// RUN: allo-opt --assign-layouts --canonicalize %s

// Between kernels: more rows are the end of a longer buffer (of zeros, where they have to be), fewer its beginning; other
// paddings, and what is not a movement at all, are kernels, of which equal ones are one.

func.func private @k(%a: tensor<7x4xf32>) -> tensor<7x4xf32> attributes {allo.kernel} {
  return %a : tensor<7x4xf32>
}
func.func private @more(%a: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {allo.kernel} {
  return %a : tensor<8x4xf32>
}
func.func private @wide(%a: tensor<7x6xf32>) -> tensor<7x6xf32> attributes {allo.kernel} {
  return %a : tensor<7x6xf32>
}
// CHECK:      func.func private @[[PICK:relayout_.*]](%{{.*}}: tensor<7x4xf32>) -> tensor<3x4xf32> attributes {allo.kernel}
// CHECK:        tensor.extract_slice %{{.*}}[4, 0] [3, 4] [1, 1]
// CHECK:      func.func private @[[WIDE:relayout_.*]](%{{.*}}: tensor<7x4xf32>) -> tensor<7x6xf32> attributes {allo.kernel}
// CHECK:        tensor.pad
// CHECK:      func.func @f
// CHECK:        %[[A:.*]] = call @k
// CHECK:        %[[FLAT:.*]] = tensor.collapse_shape %[[A]] {{\[\[}}0, 1]] : tensor<7x4xf32> into tensor<28xf32>
// CHECK:        %[[LONG:.*]] = tensor.insert_slice %[[FLAT]] into %{{.*}}[0] [28] [1] : tensor<28xf32> into tensor<32xf32>
// CHECK:        %[[ROWS:.*]] = tensor.expand_shape %[[LONG]] {{\[\[}}0, 1]] output_shape [8, 4]
// CHECK:        %[[B:.*]] = call @more(%[[ROWS]])
// CHECK:        %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<32xf32>
// CHECK:        tensor.insert_slice %{{.*}} into %[[ZEROS]][0] [28] [1] : tensor<28xf32> into tensor<32xf32>
// CHECK:        tensor.extract_slice %{{.*}}[0] [28] [1] : tensor<32xf32> to tensor<28xf32>
// CHECK:        call @[[WIDE]](%[[A]])
// CHECK:        call @[[PICK]](%[[A]])
// CHECK-NOT:    call @relayout
func.func @f(%x: tensor<7x4xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<7x4xf32>, tensor<7x6xf32>, tensor<3x4xf32>) {
  %z = arith.constant 0.0 : f32
  %a = call @k(%x) : (tensor<7x4xf32>) -> tensor<7x4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %l = tensor.insert_slice %a into %e[0, 0] [7, 4] [1, 1] : tensor<7x4xf32> into tensor<8x4xf32>
  %b = call @more(%l) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = tensor.pad %a low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x4xf32> to tensor<8x4xf32>
  %c = call @more(%p) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %s = tensor.extract_slice %c[0, 0] [7, 4] [1, 1] : tensor<8x4xf32> to tensor<7x4xf32>
  %d = call @k(%s) : (tensor<7x4xf32>) -> tensor<7x4xf32>
  %w = tensor.pad %a low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x4xf32> to tensor<7x6xf32>
  %g = call @wide(%w) : (tensor<7x6xf32>) -> tensor<7x6xf32>
  %q = tensor.extract_slice %a[4, 0] [3, 4] [1, 1] : tensor<7x4xf32> to tensor<3x4xf32>
  return %b, %c, %d, %g, %q : tensor<8x4xf32>, tensor<8x4xf32>, tensor<7x4xf32>, tensor<7x6xf32>, tensor<3x4xf32>
}
