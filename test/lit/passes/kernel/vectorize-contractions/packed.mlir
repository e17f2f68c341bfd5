// RUN: allo-opt %s --vectorize-contractions | filecheck %s
// RUN: allo-opt %s --vectorize-contractions=device=npu2 | filecheck %s --check-prefix=NPU2

#a = affine_map<(i, j, l, m, n, k) -> (l, i, m, k)>
#b = affine_map<(i, j, l, m, n, k) -> (j, l, k, n)>
#c = affine_map<(i, j, l, m, n, k) -> (j, i, m, n)>

// CHECK-LABEL: func.func @packed
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for {{.*}} iter_args(%{{.*}}) -> (vector<4x4xf32>)
// CHECK:               vector.contract
// CHECK-NOT:     linalg.generic
// NPU2-LABEL: func.func @packed
// NPU2:         linalg.generic
func.func @packed(%a: memref<2x4x4x8xbf16, 2>, %b: memref<4x2x8x4xbf16, 2>, %c: memref<4x4x4x4xf32, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c],
      iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x4x4x8xbf16, 2>, memref<4x2x8x4xbf16, 2>) outs(%c : memref<4x4x4x4xf32, 2>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Six loops of these kinds that are not a sum of products.
// CHECK-LABEL: func.func @most
// CHECK:         linalg.generic
func.func @most(%a: memref<2x4x4x8xbf16, 2>, %b: memref<4x2x8x4xbf16, 2>, %c: memref<4x4x4x4xf32, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c],
      iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x4x4x8xbf16, 2>, memref<4x2x8x4xbf16, 2>) outs(%c : memref<4x4x4x4xf32, 2>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = arith.maximumf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}
