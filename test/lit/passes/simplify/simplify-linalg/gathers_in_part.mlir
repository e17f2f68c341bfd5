// RUN: allo-opt %s --simplify-linalg | filecheck %s
// RUN: allo-opt %s --simplify-linalg --verify-each=execute

// Padding by reflection: the rows are a table, but the planes and the columns follow loops. Only the rows stay computed; the columns
// are read from a slice.
// CHECK-LABEL: func.func @reflected
// CHECK:         %[[S:.*]] = tensor.extract_slice %arg0[0, 0, 1] [2, 3, 4] [1, 1, 2]
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[ROW:.*]]: i32, %{{.*}}: f32)
// CHECK-DAG:       %[[C:.*]] = linalg.index 0
// CHECK-DAG:       %[[J:.*]] = linalg.index 2
// CHECK-DAG:       %[[I:.*]] = arith.index_cast %[[ROW]]
// CHECK:           tensor.extract %[[S]][%[[C]], %[[I]], %[[J]]]
func.func @reflected(%a: tensor<2x3x9xf32>) -> tensor<2x5x4xf32> {
  %planes = arith.constant dense<[0, 1]> : tensor<2xi64>
  %rows = arith.constant dense<[1, 0, 1, 2, 1]> : tensor<5xi64>
  %columns = arith.constant dense<[1, 3, 5, 7]> : tensor<4xi64>
  %e = tensor.empty() : tensor<2x5x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(c, i, j) -> (c)>, affine_map<(c, i, j) -> (i)>, affine_map<(c, i, j) -> (j)>, affine_map<(c, i, j) -> (c, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%planes, %rows, %columns : tensor<2xi64>, tensor<5xi64>, tensor<4xi64>) outs(%e : tensor<2x5x4xf32>) {
  ^bb0(%c: i64, %i: i64, %j: i64, %o: f32):
    %0 = arith.index_cast %c : i64 to index
    %1 = arith.index_cast %i : i64 to index
    %2 = arith.index_cast %j : i64 to index
    %3 = tensor.extract %a[%0, %1, %2] : tensor<2x3x9xf32>
    linalg.yield %3 : f32
  } -> tensor<2x5x4xf32>
  return %r : tensor<2x5x4xf32>
}
