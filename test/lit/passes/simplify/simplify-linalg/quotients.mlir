// A loop that maps divide by a number that divides its length becomes two.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

// CHECK: [[READ:#.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK-LABEL: func.func @upsample(
// CHECK:         [[Z:%.*]] = linalg.generic {indexing_maps = [[[READ]], {{.*}} ins(%arg0 : tensor<7x5xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<7x2x5x2xf32>)
// CHECK:         tensor.collapse_shape [[Z]] {{\[\[}}0, 1], [2, 3]] : tensor<7x2x5x2xf32> into tensor<14x10xf32>
func.func @upsample(%x: tensor<7x5xf32>) -> tensor<14x10xf32> {
  %e = tensor.empty() : tensor<14x10xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i floordiv 2, j floordiv 2)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%e : tensor<14x10xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<14x10xf32>
  return %y : tensor<14x10xf32>
}

// The index of the loop is computed of both, and other operands are taken apart.
// CHECK-LABEL: func.func @tile(
// CHECK:         [[B:%.*]] = tensor.expand_shape %arg1 {{.*}} : tensor<12xi32> into tensor<3x4xi32>
// CHECK:         linalg.generic {{.*}} ins(%arg0, [[B]] : tensor<4xi32>, tensor<3x4xi32>)
// CHECK:           linalg.index 0
// CHECK:           linalg.index 1
func.func @tile(%x: tensor<4xi32>, %b: tensor<12xi32>) -> tensor<12xi32> {
  %e = tensor.empty() : tensor<12xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 4)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x, %b : tensor<4xi32>, tensor<12xi32>) outs(%e : tensor<12xi32>) {
  ^bb0(%a: i32, %c: i32, %o: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %s = arith.addi %a, %c : i32
    %r = arith.muli %s, %n : i32
    linalg.yield %r : i32
  } -> tensor<12xi32>
  return %y : tensor<12xi32>
}
