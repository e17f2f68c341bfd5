// The loop along which divisors are the same is the innermost one, also around vectors of them: their reciprocals are made once. Where
// nothing is, and that loop runs fewer times than there are vectors, these are inside.
// RUN: allo-opt %s --vectorize-generics | filecheck %s

// CHECK-LABEL: func.func @columns
// CHECK:         scf.for %[[J:.*]] = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK:           vector.transfer_read %arg1[%[[J]]]
// CHECK:           scf.for %{{.*}} = %c0{{.*}} to %c48
// CHECK:             arith.divf
// CHECK-LABEL: func.func @few
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c2
// CHECK:           scf.for %{{.*}} = %c0{{.*}} to %c64{{.*}} step %c16
func.func @columns(%x: memref<48x32xf32, 2>, %s: memref<32xf32, 2>, %y: memref<48x32xf32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<48x32xf32, 2>, memref<32xf32, 2>) outs(%y : memref<48x32xf32, 2>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  }
  return
}

func.func @few(%x: memref<2x64xf32, 2>, %s: memref<64xf32, 2>, %y: memref<2x64xf32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<2x64xf32, 2>, memref<64xf32, 2>) outs(%y : memref<2x64xf32, 2>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.subf %a, %b : f32
    linalg.yield %q : f32
  }
  return
}
