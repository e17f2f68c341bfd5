// RUN: allo-opt %s | filecheck %s

// What torch-mlir makes of cumsum, index_put and scatter_add is a reduction: of all elements up to one's own, of all updates.

// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2) -> (d2, 0, d1)>
// CHECK-DAG: #[[N:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1, d2) -> (d2, 0)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1, d2) -> (d2, 1)>

// CHECK-LABEL: func.func @scan
// CHECK:       %[[S:.*]] = linalg.generic {indexing_maps = [#[[X]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT:  ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[OUT]], %[[IN]]
// CHECK:         %[[UPTO:.*]] = arith.cmpi ule
// CHECK:         %[[FROM:.*]] = arith.select %{{.*}}, %[[IN]], %[[SUM]]
// CHECK:         %[[NEXT:.*]] = arith.select %[[UPTO]], %[[FROM]], %[[OUT]]
// CHECK:       return %[[S]]
func.func @scan(%x: tensor<8x3xf32>, %y: tensor<8x3xf32>, %s: tensor<3xf32>) -> tensor<8x3xf32> {
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<8x3xf32>) outs(%y, %s : tensor<8x3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tm_tensor.yield %c : f32
  } -> tensor<8x3xf32>, tensor<3xf32>
  return %0#0 : tensor<8x3xf32>
}

// CHECK-LABEL: func.func @rows
// CHECK:       linalg.generic {indexing_maps = [#[[ROW]], #[[FIRST]], #{{.*}}]
// CHECK-NEXT:  ^bb0(%[[NEW:.*]]: f32, %[[AT:.*]]: i64, %[[OLD:.*]]: f32):
// CHECK:         arith.cmpi eq, %[[AT]]
// CHECK:         arith.select %{{.*}}, %[[NEW]], %[[OLD]]
func.func @rows(%x: tensor<6x5xf32>, %i: tensor<3x1xi64>, %u: tensor<3x1x5xf32>) -> tensor<6x5xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x1x5xf32>, tensor<3x1xi64>) outs(%x : tensor<6x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}

// CHECK-LABEL: func.func @elements
// CHECK:       linalg.generic {indexing_maps = [#[[N]], #[[FIRST]], #[[SECOND]], #{{.*}}]
// CHECK:         %[[MORE:.*]] = arith.addi
// CHECK:         arith.select %{{.*}}, %[[MORE]], %{{.*}} : i32
func.func @elements(%x: tensor<6x5xi32>, %i: tensor<3x2xi64>, %u: tensor<3xi32>) -> tensor<6x5xi32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%u, %i : tensor<3xi32>, tensor<3x2xi64>) outs(%x : tensor<6x5xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %b, %a : i32
    tm_tensor.yield %c : i32
  } -> tensor<6x5xi32>
  return %0 : tensor<6x5xi32>
}

// A sort is two: the place of each element, by comparisons with all others of its column, and the element of each place. NaN comes last.

// CHECK-LABEL: func.func @sort
// CHECK:       %[[PLACE:.*]] = linalg.generic {{.*}} ins(%arg0, %arg0 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%{{.*}} : tensor<8x3xi32>)
// CHECK-NEXT:  ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[N:.*]]: i32):
// CHECK:         %[[FRONT:.*]] = arith.cmpi ult
// CHECK:         %[[FIRST:.*]] = arith.select %[[FRONT]], %[[B]], %[[A]] : f32
// CHECK:         %[[SECOND:.*]] = arith.select %[[FRONT]], %[[A]], %[[B]] : f32
// CHECK:         %[[LESS:.*]] = arith.cmpf ole, %[[FIRST]], %[[SECOND]]
// CHECK:         %[[NAN:.*]] = arith.cmpf uno, %[[SECOND]], %[[SECOND]]
// CHECK:         %[[KEPT:.*]] = arith.ori %[[LESS]], %[[NAN]]
// CHECK:         arith.select %[[FRONT]], %[[KEPT]]
// CHECK:       %[[BOTH:.*]]:2 = linalg.generic {{.*}} ins(%arg0, %arg1, %[[PLACE]] :
// CHECK:         arith.cmpi eq
// CHECK-COUNT-2: arith.select
// CHECK:       return %[[BOTH]]#0, %[[BOTH]]#1
func.func @sort(%x: tensor<8x3xf32>, %i: tensor<8x3xi64>) -> (tensor<8x3xf32>, tensor<8x3xi64>) {
  %0:2 = tm_tensor.sort dimension(0) outs(%x, %i : tensor<8x3xf32>, tensor<8x3xi64>) {
  ^bb0(%a: f32, %b: f32, %c: i64, %d: i64):
    %e = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %e : i1
  } -> tensor<8x3xf32>, tensor<8x3xi64>
  return %0#0, %0#1 : tensor<8x3xf32>, tensor<8x3xi64>
}
