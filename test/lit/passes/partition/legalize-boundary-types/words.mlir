// RUN: allo-opt --simplify-linalg --legalize-boundary-types %s | filecheck %s
// RUN: allo-opt --legalize-boundary-types --canonicalize --verify-each=execute %s

// The caller takes arguments of i64 apart into words, and joins results of words; it checks arguments that have to be words.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK:      func.func @product(%arg0: tensor<1x9xi32>, %arg1: tensor<1x9xi32>) -> (tensor<1x9xi32>, tensor<1x9xi32>)
// CHECK-SAME:   gives = [{cast = "arith.extsi", high = {cast = "arith.extsi", place = 3 : i64, type = tensor<1x9xi64>, view = array<i64: 1, 9>}, place = 2 : i64, type = tensor<1x9xi64>, view = array<i64: 1, 9>}]
// CHECK-SAME:   holds = [{argument = 0 : i64, cast = "arith.trunci", view = array<i64: 1, 9>}, {argument = 0 : i64, cast = "arith.shrui 32", view = array<i64: 1, 9>}]
func.func @product(%x: tensor<1x9xi64>) -> tensor<1x9xi64> {
  %e = tensor.empty() : tensor<1x9xi64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x9xi64>) outs(%e : tensor<1x9xi64>) {
  ^bb0(%a: i64, %o: i64):
    %p = arith.muli %a, %a : i64
    linalg.yield %p : i64
  } -> tensor<1x9xi64>
  return %r : tensor<1x9xi64>
}

// CHECK:      func.func @remainder(%arg0: tensor<1x9xi32>) -> tensor<1x9xi32>
// CHECK-SAME:   holds = [{argument = 0 : i64, cast = "arith.trunci nsw", view = array<i64: 1, 9>}]
func.func @remainder(%x: tensor<1x9xi64>) -> tensor<1x9xi64> {
  %five = arith.constant 5 : i64
  %e = tensor.empty() : tensor<1x9xi64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x9xi64>) outs(%e : tensor<1x9xi64>) {
  ^bb0(%a: i64, %o: i64):
    %p = arith.remsi %a, %five : i64
    linalg.yield %p : i64
  } -> tensor<1x9xi64>
  return %r : tensor<1x9xi64>
}

// What pads the lower words has a region, too, and takes no upper ones.
// CHECK:      func.func @padded(%arg0: tensor<3x5xi32>, %arg1: tensor<3x5xi32>) -> (tensor<3x7xi32>, tensor<3x7xi32>)
// CHECK-DAG:    tensor.pad %arg0 low[0, 1] high[0, 1]
// CHECK-DAG:    tensor.pad %arg1 low[0, 1] high[0, 1]
func.func @padded(%x: tensor<3x5xi64>) -> tensor<3x7xi64> {
  %seven = arith.constant 7 : i64
  %r = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %seven : i64
  } : tensor<3x5xi64> to tensor<3x7xi64>
  return %r : tensor<3x7xi64>
}
