// RUN: allo-opt %s --air-par-to-herd | filecheck %s

// In memory a herd is not an affine scope: accesses and loops on its ids go through affine.apply; conditions print as affine.if.

// CHECK-DAG:   #[[ADD:.*]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG:   #[[SYM:.*]] = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-DAG:   #[[SET:.*]] = affine_set<(d0)[s0] : (d0 - s0 == 0)>
// CHECK-LABEL: func.func @affine
// CHECK:       air.herd @herd_0 tile{{ *}}(%[[X:.*]], %{{.*}}) in ({{.*}}) args(%[[A:.*]]=%{{.*}}, %[[N:.*]]=%{{.*}}) : memref<16xindex, 2>, index {
// CHECK:         %[[P:.*]] = affine.apply #[[ADD]](%[[X]])
// CHECK:         %[[W:.*]] = memref.load %[[A]][%[[P]]]
// CHECK:         %[[Q:.*]] = affine.apply #[[SYM]](%[[X]])[%[[N]]]
// CHECK:         memref.store %[[W]], %[[A]][%[[Q]]]
// CHECK:         %[[Z:.*]] = affine.if #[[SET]](%[[X]])[%[[N]]] -> index {
// CHECK:           affine.yield %[[W]] : index
// CHECK:         } else {
// CHECK:           affine.yield %[[X]] : index
// CHECK:         %[[LB:.*]] = affine.max
// CHECK:         %[[UB:.*]] = affine.min
// CHECK:         scf.for %{{.*}} = %[[LB]] to %[[UB]] step %{{.*}} iter_args(%[[ACC:.*]] = %[[Z]]) -> (index) {
// CHECK:           scf.yield %[[ACC]] : index
// CHECK:         affine.for %[[K:.*]] = 0 to 4 {
// CHECK:           memref.store %{{.*}}, %[[A]][%{{.*}}]
func.func @affine(%a: memref<16xindex, 2>, %n: index) {
  affine.parallel (%i, %j) = (0, 2) to (4, min(10, 12)) {
    %w = affine.load %a[%i + 1] : memref<16xindex, 2>
    affine.store %w, %a[%i + symbol(%n)] : memref<16xindex, 2>
    %z = affine.if affine_set<(d0)[s0] : (d0 - s0 == 0)>(%i)[%n] -> index {
      affine.yield %w : index
    } else {
      affine.yield %i : index
    }
    %s = affine.for %k = max affine_map<(d0) -> (d0, 2)>(%i) to 10 step 2 iter_args(%acc = %z) -> index {
      affine.yield %acc : index
    }
    affine.for %k = 0 to 4 {
      affine.store %s, %a[%k] : memref<16xindex, 2>
    }
  }
  return
}

// Vectors, loops inside loops, prefetches.

// CHECK-LABEL: func.func @nested
// CHECK:       air.herd @herd_1
// CHECK:         vector.load
// CHECK:         vector.store
// CHECK:         affine.if
// CHECK:           affine.for %{{.*}} = 0 to 4 step 2 {
// CHECK:             affine.if
// CHECK:               vector.store
// CHECK:             } else {
// CHECK:               scf.for
// CHECK:                 affine.apply
// CHECK:                 vector.store
// CHECK:         affine.max
// CHECK:         affine.min
// CHECK:         scf.parallel
// CHECK:           vector.store
// CHECK:         affine.parallel
// CHECK:         memref.prefetch %{{.*}}[%{{.*}}], read, locality<3>, data : memref<16xf32, 2>
func.func @nested(%a: memref<16xf32, 2>, %n: index) {
  affine.parallel (%i) = (0) to (4) {
    %v = affine.vector_load %a[%i * 4] : memref<16xf32, 2>, vector<4xf32>
    affine.vector_store %v, %a[%i * 4] : memref<16xf32, 2>, vector<4xf32>
    affine.if affine_set<(d0) : (d0 == 0)>(%i) {
      affine.for %k = 0 to 4 step 2 {
        affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %k) {
          affine.vector_store %v, %a[%k * 4] : memref<16xf32, 2>, vector<4xf32>
        } else {
          affine.for %l = 0 to affine_map<(d0) -> (d0)>(%k) {
            affine.vector_store %v, %a[%l * 4] : memref<16xf32, 2>, vector<4xf32>
          }
        }
      }
    }
    affine.parallel (%p, %q) = (0, max(%i, 1)) to (min(%i, 4), 4) step (2, 1) {
      affine.vector_store %v, %a[%q + %p] : memref<16xf32, 2>, vector<4xf32>
    }
    affine.parallel (%p) = (0) to (4) {
    }
    affine.prefetch %a[%i], read, locality<3>, data : memref<16xf32, 2>
  }
  return
}
