// RUN: allo-opt %s --vectorize-contractions | filecheck %s
// RUN: allo-opt %s --vectorize-contractions --block-contractions=contractions=0 | filecheck %s --check-prefix=JAM
// RUN: allo-opt %s --vectorize-contractions --block-contractions=contractions=0 --verify-each=execute

// Sums in a slice that begins where a loop says are carried through the reduction, and its loops are jammed.

#a = affine_map<(i, j, l, m, n, k) -> (i, l, m, k)>
#b = affine_map<(i, j, l, m, n, k) -> (l, j, k, n)>
#c = affine_map<(i, j, l, m, n, k) -> (i, j, m, n)>

// CHECK: %[[AT:.*]] = affine.apply
// CHECK: %[[FIRST:.*]] = vector.transfer_read %{{.*}}[%{{.*}}, %[[AT]], %c0, %c0]
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[OLD:.*]] = %[[FIRST]])
// CHECK: vector.contract {{.*}} %[[OLD]]
// CHECK: vector.transfer_write %[[SUM]], %{{.*}}[%{{.*}}, %[[AT]], %c0, %c0]
// JAM: scf.for {{.*}} -> (vector<4x4xf32>, vector<4x4xf32>, vector<4x4xf32>, vector<4x4xf32>
func.func @slice(%a: memref<4x4x4x8xbf16, 2>, %b: memref<4x2x8x4xbf16, 2>, %c: memref<4x8x4x4xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %p = %c0 to %c4 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 2)>(%p)
    %s = memref.subview %c[0, %o, 0, 0] [4, 2, 4, 4] [1, 1, 1, 1]
        : memref<4x8x4x4xf32, 2> to memref<4x2x4x4xf32, strided<[128, 16, 4, 1], offset: ?>, 2>
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
        ins(%a, %b : memref<4x4x4x8xbf16, 2>, memref<4x2x8x4xbf16, 2>)
        outs(%s : memref<4x2x4x4xf32, strided<[128, 16, 4, 1], offset: ?>, 2>) {
    ^bb0(%x: bf16, %y: bf16, %u: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %m = arith.mulf %xf, %yf : f32
      %r = arith.addf %u, %m : f32
      linalg.yield %r : f32
    }
  }
  return
}
