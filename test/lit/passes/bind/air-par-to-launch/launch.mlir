// RUN: allo-opt %s --air-par-to-launch | filecheck %s
// RUN: allo-opt %s --air-par-to-launch --air-par-to-launch | filecheck %s

// Launches have as many dimensions as the loop; loops inside a hierarchy, or around a launch, stay.

// CHECK-LABEL: func.func @four
// CHECK:       air.launch (%[[I:.*]], %[[J:.*]], %[[K:.*]], %[[L:.*]]) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c1{{.*}}, %{{.*}}=%c3{{.*}}, %{{.*}}=%c2{{.*}}) args(%[[N:.*]]=%{{.*}}, %[[A:.*]]=%{{.*}}) : index, memref<8x8x8x8xbf16> attributes {air.actual_sizes = array<i64: 5, 6>} {
// CHECK-NOT:     air.segment
// CHECK-DAG:     %[[C:.*]] = arith.constant 1.000000e+00 : bf16
// CHECK-DAG:     %[[M:.*]] = affine.apply #{{.*}}(%[[L]])
// CHECK-NOT:     air.launch
// CHECK:         scf.parallel
// CHECK:         memref.store %[[C]], %[[A]][%[[I]], %[[J]], %[[K]], %[[M]]]
func.func @four(%a: memref<8x8x8x8xbf16>, %n: index) {
  %one = arith.constant 1.0 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i, %j, %k, %l) = (0, 0, 0, 2) to (2, 1, 3, 8) step (1, 1, 1, 3) {
    scf.parallel (%p) = (%c0) to (%n) step (%c1) {
    }
    memref.store %one, %a[%i, %j, %k, %l] : memref<8x8x8x8xbf16>
  } {air.actual_sizes = array<i64: 5, 6>}
  return
}

// CHECK-LABEL: func.func @around
// CHECK:       scf.parallel
// CHECK:         air.launch
// CHECK-NOT:   air.launch
func.func @around() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    air.launch (%x) in (%s=%c1) {
      scf.forall (%j) in (2) {
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @none
// CHECK-NOT:   air.launch
func.func @none() {
  scf.forall (%i, %j) in (4, 0) {
  }
  return
}

// CHECK-LABEL: func.func @with_herd
// CHECK:       air.launch (%{{.*}}) in (%{{.*}}=%c8{{.*}}) {
// CHECK:         air.herd @h
func.func @with_herd() {
  scf.forall (%i) in (8) {
    %c2 = arith.constant 2 : index
    air.herd @h tile (%x, %y) in (%s=%c2, %t=%c2) {
    }
  }
  return
}
