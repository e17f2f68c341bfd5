// RUN: allo-opt %s --partition-kernels | filecheck %s

// No launch has 512 x 512 numbers, and its code does not know which it has: the indices come from a table.
// CHECK-LABEL: func.func private @lower_rows_0(
// CHECK-SAME:    tensor<512xi32>
// CHECK-NOT:     linalg.index
// CHECK:         ^bb0(%[[X:.*]]: f32, %[[ROW:.*]]: i32, %[[COLUMN:.*]]: i32, %{{.*}}: f32):
// CHECK:           arith.cmpi sle, %[[COLUMN]], %[[ROW]] : i32
// CHECK-LABEL: func.func @lower(
// CHECK:         arith.constant dense<"0x000000000100000002000000
#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @lower(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i32
    %column = arith.index_cast %j : index to i32
    %c = arith.cmpi sle, %column, %row : i32
    %r = arith.select %c, %p, %zero : f32
    linalg.yield %r : f32
  } -> tensor<512x512xf32>
  return %y : tensor<512x512xf32>
}

// A launch has a few rows of 16 numbers as they are; other types take the table's numbers extended, and indices themselves.
// CHECK-LABEL: func.func private @few_rows_0(
// CHECK:         linalg.index 1
// CHECK-LABEL: func.func private @wide_rows_0(
// CHECK-DAG:     arith.extsi %{{.*}} : i32 to i64
// CHECK-DAG:     arith.index_cast %{{.*}} : i32 to index
func.func @few(%x: tensor<4096x16xi32>) -> tensor<4096x16xi32> {
  %e = tensor.empty() : tensor<4096x16xi32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4096x16xi32>) outs(%e : tensor<4096x16xi32>) {
  ^bb0(%p: i32, %o: i32):
    %j = linalg.index 1 : index
    %column = arith.index_cast %j : index to i32
    %r = arith.addi %column, %p : i32
    linalg.yield %r : i32
  } -> tensor<4096x16xi32>
  return %y : tensor<4096x16xi32>
}
func.func @wide(%x: tensor<512x512xi32>) -> tensor<512x512xi32> {
  %e = tensor.empty() : tensor<512x512xi32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x512xi32>) outs(%e : tensor<512x512xi32>) {
  ^bb0(%p: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i64
    %short = arith.trunci %row : i64 to i32
    %c3 = arith.constant 3 : index
    %next = arith.addi %j, %c3 : index
    %column = arith.index_cast %next : index to i32
    %s = arith.addi %column, %p : i32
    %r = arith.addi %s, %short : i32
    linalg.yield %r : i32
  } -> tensor<512x512xi32>
  return %y : tensor<512x512xi32>
}
