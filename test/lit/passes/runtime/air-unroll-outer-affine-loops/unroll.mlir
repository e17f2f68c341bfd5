// RUN: allo-opt %s --air-unroll-outer-affine-loops | filecheck %s --check-prefixes=CHECK,ONE
// RUN: allo-opt %s --air-unroll-outer-affine-loops=depth=2 | filecheck %s --check-prefixes=CHECK,TWO
// RUN: allo-opt %s --air-unroll-outer-affine-loops=depth=0 | filecheck %s --check-prefixes=CHECK,NONE

// CHECK-LABEL: func.func @nest
// ONE-COUNT-2: affine.for %{{.*}} = 0 to 3 {
// ONE-NOT: affine.for
// TWO-NOT: affine.for
// TWO-COUNT-6: memref.store
// TWO-NOT: memref.store
// NONE: affine.for %{{.*}} = 1 to 5 step 2 {
// CHECK: return
func.func @nest(%m: memref<8x8xindex>) {
  affine.for %i = 1 to 5 step 2 {
    affine.for %j = 0 to 3 {
      memref.store %i, %m[%i, %j] : memref<8x8xindex>
    }
  }
  return
}

// Bounds of an inner loop follow from the outer one's rounds.
// CHECK-LABEL: func.func @tiled
// TWO-COUNT-10: memref.store
// TWO-NOT: memref.store
// CHECK: return
func.func @tiled(%m: memref<16xindex>) {
  affine.for %t = 0 to 10 step 4 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 4, 10)>(%t) {
      memref.store %i, %m[%i] : memref<16xindex>
    }
  }
  return
}
