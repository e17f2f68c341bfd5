// What follows from indices is computed where it is read; gathers by known indices are slices and reshapes.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

#n = affine_map<(d0) -> (d0)>
#ij = affine_map<(d0, d1) -> (d0, d1)>
#i = affine_map<(d0, d1) -> (d0)>
#j = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @causal(
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<9x9xf32>)
// CHECK:           [[J:%.*]] = linalg.index 1
// CHECK:           [[I:%.*]] = linalg.index 0
// CHECK:           arith.cmpi sle
// CHECK:           arith.select
// CHECK-NOT:     linalg.generic
func.func @causal(%x: tensor<9x9xf32>) -> tensor<9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9xi32>
  %at = linalg.generic {indexing_maps = [#n], iterator_types = ["parallel"]} outs(%e : tensor<9xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %c = arith.index_cast %k : index to i32
    linalg.yield %c : i32
  } -> tensor<9xi32>
  %f = tensor.empty() : tensor<9x9xf32>
  %y = linalg.generic {indexing_maps = [#ij, #j, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %at, %at : tensor<9x9xf32>, tensor<9xi32>, tensor<9xi32>) outs(%f : tensor<9x9xf32>) {
  ^bb0(%in: f32, %a: i32, %b: i32, %o: f32):
    %before = arith.cmpi sle, %a, %b : i32
    %r = arith.select %before, %in, %zero : f32
    linalg.yield %r : f32
  } -> tensor<9x9xf32>
  return %y : tensor<9x9xf32>
}

// Constants that grow evenly are positions, too: the mask of packed sequences of an exported model. Two elements, and
// sequences of other lengths, stay constants.
// CHECK-LABEL: func.func @constants(
// CHECK-DAG:     [[FOUR:%.*]] = arith.constant 4 : index
// CHECK-DAG:     [[STEP:%.*]] = arith.constant 3 : index
// CHECK:         linalg.generic {{.*}} ins(%arg0, [[TWO:%.*]], [[IDS:%.*]] : tensor<2x5xi32>, tensor<2xi32>, tensor<5xi32>)
// CHECK:         ^bb0([[IN:%.*]]: i32, [[A:%.*]]: i32, [[B:%.*]]: i32, {{%.*}}: i32):
// CHECK:           [[J:%.*]] = linalg.index 1
// CHECK:           [[M:%.*]] = arith.muli [[J]], [[STEP]]
// CHECK:           [[S:%.*]] = arith.addi [[M]], [[FOUR]]
// CHECK:           arith.index_cast [[S]] : index to i32
func.func @constants(%x: tensor<2x5xi32>) -> tensor<2x5xi32> {
  %two = arith.constant dense<[3, 9]> : tensor<2xi32>
  %ids = arith.constant dense<[0, 0, 0, 1, 1]> : tensor<5xi32>
  %even = arith.constant dense<[4, 7, 10, 13, 16]> : tensor<5xi32>
  %f = tensor.empty() : tensor<2x5xi32>
  %y = linalg.generic {indexing_maps = [#ij, #i, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %two, %ids, %even : tensor<2x5xi32>, tensor<2xi32>, tensor<5xi32>, tensor<5xi32>) outs(%f : tensor<2x5xi32>) {
  ^bb0(%in: i32, %a: i32, %b: i32, %c: i32, %o: i32):
    %p = arith.addi %in, %a : i32
    %q = arith.muli %p, %b : i32
    %r = arith.addi %q, %c : i32
    linalg.yield %r : i32
  } -> tensor<2x5xi32>
  return %y : tensor<2x5xi32>
}

// CHECK-LABEL: func.func @empty(
// CHECK:         return
func.func @empty() -> tensor<0x5xi32> {
  %none = arith.constant dense<> : tensor<0x5xi32>
  %e = tensor.empty() : tensor<0x5xi32>
  %y = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%none : tensor<0x5xi32>) outs(%e : tensor<0x5xi32>) {
  ^bb0(%a: i32, %o: i32):
    %r = arith.addi %a, %a : i32
    linalg.yield %r : i32
  } -> tensor<0x5xi32>
  return %y : tensor<0x5xi32>
}

// Every second row, from the first on.
// CHECK-LABEL: func.func @regular(
// CHECK:         tensor.extract_slice %arg0[1, 0] [4, 6] [2, 1] : tensor<9x6xf32> to tensor<4x6xf32>
// CHECK-NOT:     tensor.extract %
func.func @regular(%x: tensor<9x6xf32>) -> tensor<4x6xf32> {
  %rows = arith.constant dense<[1, 3, 5, 7]> : tensor<4xi64>
  %f = tensor.empty() : tensor<4x6xf32>
  %y = linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<4xi64>) outs(%f : tensor<4x6xf32>) {
  ^bb0(%row: i64, %o: f32):
    %a = arith.index_cast %row : i64 to index
    %b = linalg.index 1 : index
    %r = tensor.extract %x[%a, %b] : tensor<9x6xf32>
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @irregular(
// CHECK:         tensor.extract %arg0
func.func @irregular(%x: tensor<9x6xf32>) -> tensor<4x6xf32> {
  %rows = arith.constant dense<[1, 3, 4, 7]> : tensor<4xi64>
  %f = tensor.empty() : tensor<4x6xf32>
  %y = linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<4xi64>) outs(%f : tensor<4x6xf32>) {
  ^bb0(%row: i64, %o: f32):
    %a = arith.index_cast %row : i64 to index
    %b = linalg.index 1 : index
    %r = tensor.extract %x[%a, %b] : tensor<9x6xf32>
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// A diagonal is every seventh element, from the second on one beside it.
// CHECK-LABEL: func.func @diagonals(
// CHECK:         [[A:%.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<6x6xf32> into tensor<36xf32>
// CHECK:         tensor.extract_slice [[A]][0] [6] [7] : tensor<36xf32> to tensor<6xf32>
// CHECK:         tensor.extract_slice {{.*}}[1] [5] [7] : tensor<36xf32> to tensor<5xf32>
func.func @diagonals(%x: tensor<6x6xf32>) -> (tensor<6xf32>, tensor<5xf32>) {
  %e = tensor.empty() : tensor<6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, #n], iterator_types = ["parallel"]}
      ins(%x : tensor<6x6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.mulf %in, %in : f32
    linalg.yield %m : f32
  } -> tensor<6xf32>
  %f = tensor.empty() : tensor<5xf32>
  %one = arith.constant 1 : index
  %z = linalg.generic {indexing_maps = [#n], iterator_types = ["parallel"]} outs(%f : tensor<5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.addi %i, %one : index
    %r = tensor.extract %x[%i, %j] : tensor<6x6xf32>
    linalg.yield %r : f32
  } -> tensor<5xf32>
  return %y, %z : tensor<6xf32>, tensor<5xf32>
}

// Dimensions of a diagonal that are apart are brought together.
// CHECK-LABEL: func.func @apart(
// CHECK:         [[T:%.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<5x5x7xf32>)
// CHECK:         [[A:%.*]] = tensor.collapse_shape [[T]] {{\[\[}}0, 1], [2]] : tensor<5x5x7xf32> into tensor<25x7xf32>
// CHECK:         tensor.extract_slice [[A]][0, 0] [5, 7] [6, 1] : tensor<25x7xf32> to tensor<5x7xf32>
func.func @apart(%x: tensor<5x7x5xf32>) -> tensor<5x7xf32> {
  %e = tensor.empty() : tensor<5x7xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1, d0)>, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x7x5xf32>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.mulf %in, %in : f32
    linalg.yield %m : f32
  } -> tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}
