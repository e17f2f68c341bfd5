// RUN: allo-opt %s --normalize-matmul | filecheck %s

// CHECK-DAG: #[[KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>

#a = affine_map<(i, k, j) -> (k, i)>
#b = affine_map<(i, k, j) -> (k, j)>
#c = affine_map<(i, k, j) -> (j, i)>
#bm = affine_map<(k, b, m, n) -> (b, m, k)>
#bn = affine_map<(k, b, m, n) -> (b, k, n)>
#br = affine_map<(k, b, m, n) -> (b, m, n)>

// Loops in another order, operands exchanged, extensions in the body.
// CHECK-LABEL: func.func @generic
// CHECK:       linalg.matmul indexing_maps = [#[[KM]], #[[KN]], #[[MN]]] ins(%arg1, %arg0 : tensor<16x12xbf16>, tensor<16x8xbf16>)
func.func @generic(%a: tensor<16x8xbf16>, %b: tensor<16x12xbf16>) -> tensor<12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x8xf32>) -> tensor<12x8xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "reduction", "parallel"]} ins(%a, %b : tensor<16x8xbf16>, tensor<16x12xbf16>) outs(%init : tensor<12x8xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %q, %p : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}

// CHECK-LABEL: func.func @batch
// CHECK:       linalg.batch_matmul ins(%arg0, %arg1 : tensor<2x4x8xi32>, tensor<2x8x6xi32>)
func.func @batch(%a: tensor<2x4x8xi32>, %b: tensor<2x8x6xi32>) -> tensor<2x4x6xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x4x6xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x4x6xi32>) -> tensor<2x4x6xi32>
  %r = linalg.generic {indexing_maps = [#bm, #bn, #br], iterator_types = ["reduction", "parallel", "parallel", "parallel"]} ins(%a, %b : tensor<2x4x8xi32>, tensor<2x8x6xi32>) outs(%init : tensor<2x4x6xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %m = arith.muli %x, %y : i32
    %s = arith.addi %m, %o : i32
    linalg.yield %s : i32
  } -> tensor<2x4x6xi32>
  return %r : tensor<2x4x6xi32>
}

// A transposition in front of the matmul becomes part of it; of one that is undone nothing stays.
// CHECK-LABEL: func.func @transposed
// CHECK-NOT:   linalg.transpose
// CHECK:       linalg.matmul indexing_maps = [#[[MK]], #[[NK]], #[[MN]]] ins(%arg0, %arg1 : tensor<16x8xi8>, tensor<12x8xi8>)
func.func @transposed(%a: tensor<16x8xi8>, %b: tensor<12x8xi8>) -> tensor<16x12xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<16x12xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<16x12xi32>) -> tensor<16x12xi32>
  %e = tensor.empty() : tensor<8x12xi8>
  %t = linalg.transpose ins(%b : tensor<12x8xi8>) outs(%e : tensor<8x12xi8>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<8x16xi8>
  %t1 = linalg.transpose ins(%a : tensor<16x8xi8>) outs(%e1 : tensor<8x16xi8>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<16x8xi8>
  %t2 = linalg.transpose ins(%t1 : tensor<8x16xi8>) outs(%e2 : tensor<16x8xi8>) permutation = [1, 0]
  %r = linalg.matmul ins(%t2, %t : tensor<16x8xi8>, tensor<8x12xi8>) outs(%init : tensor<16x12xi32>) -> tensor<16x12xi32>
  return %r : tensor<16x12xi32>
}
