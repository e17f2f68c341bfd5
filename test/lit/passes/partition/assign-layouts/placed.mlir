// RUN: allo-opt %s --assign-layouts | filecheck %s

// A part that is in the buffer of a concatenation already is copied by a kernel where another kernel takes it longer.

func.func private @k(%a: tensor<4x16xf32>) -> tensor<4x16xf32> attributes {allo.kernel} {
  return %a : tensor<4x16xf32>
}
func.func private @long(%a: tensor<5x16xf32>) -> tensor<4x16xf32> attributes {allo.kernel} {
  %r = tensor.extract_slice %a[0, 0] [4, 16] [1, 1] : tensor<5x16xf32> to tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}
// CHECK:       func.func private @[[COPY:relayout_[0-9]+]](
// CHECK-LABEL: func.func @f(
// CHECK:         %[[A:.*]] = call @k(
// CHECK:         %[[C:.*]] = call @[[COPY]](%[[A]])
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[C]]
// CHECK:         %[[L:.*]] = tensor.insert_slice %[[F]] into
// CHECK:         %[[V:.*]] = tensor.expand_shape %[[L]]
// CHECK:         call @long(%[[V]])
func.func @f(%x: tensor<4x16xf32>) -> tensor<128xf32> {
  %a = call @k(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %e = tensor.empty() : tensor<5x16xf32>
  %l = tensor.insert_slice %a into %e[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<5x16xf32>
  %b = call @long(%l) : (tensor<5x16xf32>) -> tensor<4x16xf32>
  %n = bufferization.alloc_tensor() : tensor<128xf32>
  %p = tensor.collapse_shape %a [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
  %o = tensor.collapse_shape %b [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
  %m = tensor.insert_slice %o into %n[0] [64] [1] {allo.in_place} : tensor<64xf32> into tensor<128xf32>
  %q = tensor.insert_slice %p into %m[64] [64] [1] {allo.in_place} : tensor<64xf32> into tensor<128xf32>
  return %q : tensor<128xf32>
}
