// RUN: allo-opt %s --assign-layouts | filecheck %s

// The kernel of a part writes more than the part, since its tiles are longer: streams copy the part, and nothing after it.

func.func private @k(%a: tensor<64xf32>) -> tensor<64xf32> attributes {allo.kernel} {
  return %a : tensor<64xf32>
}
// CHECK:       func.func private @relayout_0(%{{.*}}: tensor<64xf32>) -> tensor<48xf32> {{.*}}"move"
// CHECK-LABEL: func.func @f(
// CHECK:         %[[A:.*]] = call @k(
// CHECK:         %[[C:.*]] = call @relayout_0(%[[A]])
// CHECK:         tensor.insert_slice %[[C]] into %{{.*}}[0] [48] [1] {allo.in_place}
func.func @f(%x: tensor<64xf32>) -> tensor<112xf32> {
  %a = call @k(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = call @k(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %p = tensor.extract_slice %a[0] [48] [1] : tensor<64xf32> to tensor<48xf32>
  %e = bufferization.alloc_tensor() : tensor<112xf32>
  %i = tensor.insert_slice %p into %e[0] [48] [1] {allo.in_place} : tensor<48xf32> into tensor<112xf32>
  %j = tensor.insert_slice %b into %i[48] [64] [1] {allo.in_place} : tensor<64xf32> into tensor<112xf32>
  return %j : tensor<112xf32>
}
