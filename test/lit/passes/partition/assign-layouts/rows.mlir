// RUN: allo-opt --assign-layouts %s | filecheck %s
// RUN: allo-opt --assign-layouts --symbol-dce --canonicalize --verify-each=execute %s

// Rows of another length are a kernel that tiles, of the rows that the source has; further ones are the end of a longer buffer.

// CHECK:      func.func private @relayout_0(%[[A:.*]]: tensor<8x8xf32>) -> tensor<8x12xf32> attributes {allo.kernel}
// CHECK:        %[[S:.*]] = tensor.extract_slice %[[A]][0, 0] [8, 5] [1, 1]
// CHECK:        %[[P:.*]] = tensor.pad %[[S]] low[0, 0] high[0, 7]
// CHECK:        linalg.copy ins(%[[P]] : tensor<8x12xf32>)
// CHECK:      func.func @f
// CHECK:        %[[C:.*]] = call @k
// CHECK:        %[[R:.*]] = call @relayout_0(%[[C]])
// CHECK:        tensor.insert_slice %{{.*}} into %{{.*}}[0] [96] [1] : tensor<96xf32> into tensor<108xf32>
func.func private @k(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {allo.kernel} {
  return %a : tensor<8x8xf32>
}
func.func private @l(%a: tensor<9x12xf32>) -> tensor<9x12xf32> attributes {allo.kernel} {
  return %a : tensor<9x12xf32>
}
func.func @f(%x: tensor<8x8xf32>) -> tensor<7x12xf32> {
  %z = arith.constant 0.0 : f32
  %a = call @k(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %a[0, 0] [7, 5] [1, 1] : tensor<8x8xf32> to tensor<7x5xf32>
  %p = tensor.pad %s low[0, 0] high[0, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x5xf32> to tensor<7x12xf32>
  %e = tensor.empty() : tensor<9x12xf32>
  %l = tensor.insert_slice %p into %e[0, 0] [7, 12] [1, 1] : tensor<7x12xf32> into tensor<9x12xf32>
  %b = call @l(%l) : (tensor<9x12xf32>) -> tensor<9x12xf32>
  %c = tensor.extract_slice %b[0, 0] [7, 12] [1, 1] : tensor<9x12xf32> to tensor<7x12xf32>
  return %c : tensor<7x12xf32>
}
