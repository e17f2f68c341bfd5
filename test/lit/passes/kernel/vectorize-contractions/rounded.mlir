// RUN: allo-opt --vectorize-contractions %s | filecheck %s

// A sum that is kept as bf16 is f32 while the loop over k runs, and rounded once behind it.
// CHECK-LABEL: func.func @rounded
// CHECK: scf.for
// CHECK: vector.transfer_read %arg2{{.*}} : memref<2x2x4x4xbf16, 2>, vector<4x4xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK: %[[ACC:.*]] = vector.shape_cast %[[WIDE]] : vector<16xf32> to vector<4x4xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ACC]]) -> (vector<4x4xf32>)
// CHECK: vector.contract
// CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK: vector.transfer_write {{.*}} : vector<4x4xbf16>, memref<2x2x4x4xbf16, 2>
// CHECK-NOT: unrealized_conversion_cast
#a = affine_map<(i, j, l, m, n, k) -> (l, i, m, k)>
#b = affine_map<(i, j, l, m, n, k) -> (j, l, k, n)>
#c = affine_map<(i, j, l, m, n, k) -> (j, i, m, n)>
func.func @rounded(%a: memref<3x2x4x8xbf16, 2>, %b: memref<2x3x8x4xbf16, 2>, %c: memref<2x2x4x4xbf16, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x2x4x8xbf16, 2>, memref<2x3x8x4xbf16, 2>) outs(%c : memref<2x2x4x4xbf16, 2>) {
  ^bb0(%x: bf16, %y: bf16, %s: bf16):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.extf %s : bf16 to f32
    %4 = arith.addf %3, %2 : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  }
  return
}
