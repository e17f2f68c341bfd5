// RUN: allo-opt --syntax=2026-03 %s --generalize-movement | filecheck %s

#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// An elementwise operation on a concatenation of equal parts has the dimensions of the parts; its other operands are expanded.
// CHECK-LABEL: @read
// CHECK:      %[[PARTS:.*]] = linalg.generic
// CHECK:        linalg.index 1
// CHECK:      -> tensor<8x2x16xf32>
// CHECK:      %[[ROW:.*]] = tensor.expand_shape %arg2 {{\[\[}}0, 1]] output_shape [2, 16] : tensor<32xf32> into tensor<2x16xf32>
// CHECK:      %[[SUM:.*]] = linalg.generic {{.*}}ins(%[[PARTS]], %[[ROW]] : tensor<8x2x16xf32>, tensor<2x16xf32>)
// CHECK:      tensor.collapse_shape %[[SUM]] {{\[\[}}0], [1, 2]] : tensor<8x2x16xf32> into tensor<8x32xf32>
func.func @read(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>, %row: tensor<32xf32>) -> tensor<8x32xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%c, %row : tensor<8x32xf32>, tensor<32xf32>) outs(%e : tensor<8x32xf32>) {
  ^b(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// Another reader needs the concatenation itself.
// CHECK-LABEL: @twice
// CHECK:      %[[WHOLE:.*]] = tensor.collapse_shape
// CHECK:      linalg.generic {{.*}}ins(%[[WHOLE]], %arg2 : tensor<8x32xf32>, tensor<32xf32>)
func.func @twice(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>, %row: tensor<32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %c = tensor.concat dim(1) %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%c, %row : tensor<8x32xf32>, tensor<32xf32>) outs(%e : tensor<8x32xf32>) {
  ^b(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %r, %c : tensor<8x32xf32>, tensor<8x32xf32>
}
