// RUN: allo-opt --assign-layouts %s | filecheck %s

// A kernel takes a row, and undefined elements after it, where the row is: the next rows follow it. For the last row, the buffer is longer.

func.func private @k(%a: tensor<3x12xf32>) -> tensor<3x12xf32> attributes {allo.kernel} {
  return %a : tensor<3x12xf32>
}
func.func private @wide(%a: tensor<3x16xf32>) -> tensor<3x16xf32> attributes {allo.kernel} {
  return %a : tensor<3x16xf32>
}
func.func private @step(%a: tensor<4x16xf32>) -> tensor<4x16xf32> attributes {allo.kernel} {
  return %a : tensor<4x16xf32>
}
func.func private @row(%a: tensor<16xf32>) -> tensor<16xf32> attributes {allo.kernel} {
  return %a : tensor<16xf32>
}
func.func private @short(%a: tensor<1x12xf32>) -> tensor<1x12xf32> attributes {allo.kernel} {
  return %a : tensor<1x12xf32>
}
// CHECK-NOT:   relayout
// CHECK-LABEL: func.func @rows
// CHECK:         %[[A:.*]] = call @k
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[A]]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[FLAT]][12] [16] [1]
// CHECK:         call @row(%[[S]])
// CHECK:         %[[OWN:.*]] = bufferization.alloc_tensor() : tensor<40xf32>
// CHECK:         %[[LONG:.*]] = tensor.insert_slice %{{.*}} into %[[OWN]][0] [36] [1]
// CHECK:         %[[T:.*]] = tensor.extract_slice %[[LONG]][24] [16] [1]
// CHECK:         call @row(%[[T]])
func.func @rows(%x: tensor<3x12xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %a = call @k(%x) : (tensor<3x12xf32>) -> tensor<3x12xf32>
  %s = tensor.extract_slice %a[1, 0] [1, 12] [1, 1] : tensor<3x12xf32> to tensor<12xf32>
  %e = tensor.empty() : tensor<16xf32>
  %b = tensor.insert_slice %s into %e[0] [12] [1] : tensor<12xf32> into tensor<16xf32>
  %c = call @row(%b) : (tensor<16xf32>) -> tensor<16xf32>
  %t = tensor.extract_slice %a[2, 0] [1, 12] [1, 1] : tensor<3x12xf32> to tensor<12xf32>
  %f = tensor.empty() : tensor<16xf32>
  %d = tensor.insert_slice %t into %f[0] [12] [1] : tensor<12xf32> into tensor<16xf32>
  %g = call @row(%d) : (tensor<16xf32>) -> tensor<16xf32>
  return %c, %g : tensor<16xf32>, tensor<16xf32>
}

// The leading elements of the first row are at the start of the buffer.
// CHECK-LABEL: func.func @first
// CHECK:         %[[A:.*]] = call @step
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[A]]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[FLAT]][0] [12] [1]
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[S]]
// CHECK:         call @short(%[[R]])
func.func @first(%x: tensor<4x16xf32>) -> tensor<1x12xf32> {
  %a = call @step(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %s = tensor.extract_slice %a[0, 0] [1, 12] [1, 1] : tensor<4x16xf32> to tensor<1x12xf32>
  %b = call @short(%s) : (tensor<1x12xf32>) -> tensor<1x12xf32>
  return %b : tensor<1x12xf32>
}

// Several rows without their last columns: one kernel copies all rows, not a kernel for each row.
// CHECK-LABEL: func.func @cut
// CHECK:         %[[A:.*]] = call @wide
// CHECK-NEXT:    %[[B:.*]] = call @[[CUT:relayout.*]](%[[A]]) : (tensor<3x16xf32>) -> tensor<3x12xf32>
// CHECK-NOT:     relayout
// CHECK:         tensor.extract_slice %[[B]][1, 0] [1, 12]
// CHECK:         tensor.extract_slice %[[B]][2, 0] [1, 12]
// CHECK-NOT:     relayout
func.func @cut(%x: tensor<3x16xf32>) -> (tensor<1x12xf32>, tensor<1x12xf32>) {
  %a = call @wide(%x) : (tensor<3x16xf32>) -> tensor<3x16xf32>
  %b = tensor.extract_slice %a[0, 0] [3, 12] [1, 1] : tensor<3x16xf32> to tensor<3x12xf32>
  %s = tensor.extract_slice %b[1, 0] [1, 12] [1, 1] : tensor<3x12xf32> to tensor<1x12xf32>
  %c = call @short(%s) : (tensor<1x12xf32>) -> tensor<1x12xf32>
  %t = tensor.extract_slice %b[2, 0] [1, 12] [1, 1] : tensor<3x12xf32> to tensor<1x12xf32>
  %d = call @short(%t) : (tensor<1x12xf32>) -> tensor<1x12xf32>
  return %c, %d : tensor<1x12xf32>, tensor<1x12xf32>
}
