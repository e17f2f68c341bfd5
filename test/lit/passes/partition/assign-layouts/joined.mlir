// RUN: allo-opt %s --assign-layouts | filecheck %s
// RUN: allo-opt %s --assign-layouts --assign-layouts | filecheck %s

// Parts of a concatenation go into one buffer, one after another. A result of the program is copied by a kernel, a part of a
// result by streams.

func.func private @k(%a: tensor<4x16xf32>) -> tensor<4x16xf32> attributes {allo.kernel} {
  return %a : tensor<4x16xf32>
}
func.func private @long(%a: tensor<4x16xf32>) -> tensor<5x16xf32> attributes {allo.kernel} {
  %r = tensor.empty() : tensor<5x16xf32>
  return %r : tensor<5x16xf32>
}
// CHECK:       func.func private @[[COPY:relayout_[0-9]+]](%{{.*}}: tensor<4x16xf32>) -> tensor<4x16xf32>
// CHECK:       func.func private @[[CUT:relayout_[0-9]+]](%{{.*}}: tensor<5x16xf32>) -> tensor<4x16xf32> {{.*}}"move"
// CHECK-LABEL: func.func @f(
// CHECK:         %[[A:.*]] = call @k(
// CHECK:         %[[B:.*]] = call @k(%[[A]])
// CHECK:         %[[L:.*]] = call @long(%[[B]])
// CHECK:         %[[C:.*]] = call @[[COPY]](%[[B]])
// CHECK:         %[[D:.*]] = call @[[CUT]](%[[L]])
// CHECK:         %[[E:.*]] = bufferization.alloc_tensor() : tensor<192xf32>
// CHECK:         %[[FA:.*]] = tensor.collapse_shape %[[A]]
// CHECK:         %[[IA:.*]] = tensor.insert_slice %[[FA]] into %[[E]][0] [64] [1] {allo.in_place}
// CHECK:         %[[FC:.*]] = tensor.collapse_shape %[[C]]
// CHECK:         %[[IC:.*]] = tensor.insert_slice %[[FC]] into %[[IA]][64] [64] [1] {allo.in_place}
// CHECK:         %[[FD:.*]] = tensor.collapse_shape %[[D]]
// CHECK:         %[[ID:.*]] = tensor.insert_slice %[[FD]] into %[[IC]][128] [64] [1] {allo.in_place}
func.func @f(%x: tensor<4x16xf32>) -> (tensor<12x16xf32>, tensor<4x16xf32>) {
  %a = call @k(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %b = call @k(%a) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %c = call @long(%b) : (tensor<4x16xf32>) -> tensor<5x16xf32>
  %d = tensor.extract_slice %c[0, 0] [4, 16] [1, 1] : tensor<5x16xf32> to tensor<4x16xf32>
  %r = tensor.concat dim(0) %a, %b, %d {allo.in_place} : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<12x16xf32>
  return %r, %b : tensor<12x16xf32>, tensor<4x16xf32>
}
