// RUN: allo-opt --legalize-boundary-types %s | filecheck %s
// RUN: allo-opt --legalize-boundary-types --canonicalize %s

// Casts of what no DMA moves, at arguments and results, are the caller's; others stay.

#id = affine_map<(d0) -> (d0)>

// CHECK:      func.func @f(%[[X:.*]]: tensor<8xi32>, %[[Y:.*]]: tensor<8xf32>, %[[Z:.*]]: tensor<8xi64>) -> (tensor<2x4xi32>, tensor<8xi8>, tensor<8xf32>, tensor<8xi64>)
// CHECK-SAME:   gives = [{cast = "arith.extsi", place = 3 : i64, type = tensor<2x4xi64>, view = array<i64: 2, 4>},
// CHECK-SAME:     {cast = "arith.trunci", place = 4 : i64, type = tensor<8xi1>, view = array<i64: 8>},
// CHECK-SAME:     {place = 5 : i64, type = tensor<8xf32>, view = array<i64: 8>}, {place = 6 : i64, type = tensor<8xi64>, view = array<i64: 8>}]
// CHECK-SAME:   holds = [{argument = 0 : i64, cast = "arith.trunci", view = array<i64: 8>}, {argument = 1 : i64, view = array<i64: 8>}, {argument = 2 : i64, view = array<i64: 8>}]
// CHECK-SAME:   takes = [tensor<8xi64>, tensor<8xf32>, tensor<8xi64>]
// CHECK:        %[[A:.*]] = linalg.add ins(%[[X]], %[[X]] : tensor<8xi32>, tensor<8xi32>)
// CHECK:        %[[V:.*]] = tensor.expand_shape %[[A]] {{.*}} : tensor<8xi32> into tensor<2x4xi32>
// CHECK:        return %[[V]], %{{.*}}, %[[Y]], %[[Z]]
func.func @f(%x: tensor<8xi64>, %y: tensor<8xf32>, %z: tensor<8xi64>) -> (tensor<2x4xi64>, tensor<8xi1>, tensor<8xf32>, tensor<8xi64>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xi32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi64>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i64, %out: i32):
    %c = arith.trunci %in : i64 to i32
    linalg.yield %c : i32
  } -> tensor<8xi32>
  %s = linalg.add ins(%n, %n : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %g = tensor.empty() : tensor<8xi64>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%s : tensor<8xi32>) outs(%g : tensor<8xi64>) {
  ^bb0(%in: i32, %out: i64):
    %c = arith.extsi %in : i32 to i64
    linalg.yield %c : i64
  } -> tensor<8xi64>
  %v = tensor.expand_shape %w [[0, 1]] output_shape [2, 4] : tensor<8xi64> into tensor<2x4xi64>
  %b = tensor.empty() : tensor<8xi8>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%b : tensor<8xi8>) {
  ^bb0(%in: f32, %out: i8):
    %c = arith.cmpf ogt, %in, %zero : f32
    %d = arith.extui %c : i1 to i8
    linalg.yield %d : i8
  } -> tensor<8xi8>
  %h = tensor.empty() : tensor<8xi1>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<8xi8>) outs(%h : tensor<8xi1>) {
  ^bb0(%in: i8, %out: i1):
    %c = arith.trunci %in : i8 to i1
    linalg.yield %c : i1
  } -> tensor<8xi1>
  return %v, %q, %y, %z : tensor<2x4xi64>, tensor<8xi1>, tensor<8xf32>, tensor<8xi64>
}
