// Iterations whose elements lie between each other's run on one core; a step need not divide the range.
// RUN: allo-opt %s --fit-herds 2>&1 | filecheck %s

// CHECK:       one-core.mlir:{{[0-9]+}}:3: remark: 'affine.parallel' op runs on one core, since the elements
// CHECK-LABEL: func.func @scattered(
// CHECK:         scf.parallel {{.*}} to (%c1, %c1{{.*}})
// CHECK:           scf.for
func.func @scattered(%a: memref<64xi32>, %c: memref<8x8xi32>) {
  affine.parallel (%i) = (0) to (64) {
    %x = affine.load %a[%i] : memref<64xi32>
    affine.store %x, %c[%i floordiv 8, %i mod 8] : memref<8x8xi32>
  }
  return
}

// CHECK-LABEL: func.func @steps(
// CHECK:         scf.parallel
// CHECK:         affine.apply
func.func @steps(%v: i32, %c: memref<30xi32>) {
  affine.parallel (%i) = (0) to (30) step (4) {
    affine.store %v, %c[%i] : memref<30xi32>
  }
  return
}
