// RUN: allo-opt %s --vectorize-contractions --mlir-print-debuginfo --mlir-pretty-debuginfo | filecheck %s

// What MLIR names no place for has that of the loop around it.
// CHECK-LABEL: func.func @packed
// CHECK:         vector.contract{{.*}}places.mlir:7:3
func.func @packed(%a: memref<2x4x4x8xbf16, 2>, %b: memref<4x2x8x4xbf16, 2>, %c: memref<4x4x4x4xf32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, l, m, n, k) -> (l, i, m, k)>,
      affine_map<(i, j, l, m, n, k) -> (j, l, k, n)>, affine_map<(i, j, l, m, n, k) -> (j, i, m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x4x4x8xbf16, 2>, memref<4x2x8x4xbf16, 2>) outs(%c : memref<4x4x4x4xf32, 2>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %u = arith.extf %x : bf16 to f32 loc(unknown)
    %v = arith.extf %y : bf16 to f32 loc(unknown)
    %p = arith.mulf %u, %v : f32 loc(unknown)
    %s = arith.addf %o, %p : f32 loc(unknown)
    linalg.yield %s : f32 loc(unknown)
  }
  return
}
