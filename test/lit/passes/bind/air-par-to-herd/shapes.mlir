// RUN: allo-opt %s --allow-unregistered-dialect --split-input-file --air-par-to-herd | filecheck %s
// RUN: allo-opt %s --allow-unregistered-dialect --split-input-file --air-par-to-herd=first-dim=1 | filecheck %s --check-prefix=SECOND

// One dimension lies along first-dim; bounds become 0, 1, 2, ... by an affine.apply.

// CHECK-DAG:    #[[MAP:.*]] = affine_map<(d0) -> (d0 * 3 + 4)>
// CHECK-LABEL:  func.func @one
// CHECK:        arith.constant 2 : index
// CHECK-NEXT:   arith.constant 0 : index
// CHECK-NEXT:   arith.constant 1 : index
// CHECK-NEXT:   %[[N:.*]] = arith.constant 2 : index
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:   air.herd @herd_0 tile{{ *}}(%[[X:.*]], %{{.*}}) in (%{{.*}}=%[[N]], %{{.*}}=%[[ONE]]) args(%[[A:.*]]=%{{.*}}) : memref<16xindex, 2> {
// CHECK:          %[[I:.*]] = affine.apply #[[MAP]](%[[X]])
// CHECK:          memref.store %[[I]], %[[A]][%[[I]]]

// SECOND-LABEL: func.func @one
// SECOND:       arith.constant 1 : index
// SECOND-NEXT:  %[[ONE:.*]] = arith.constant 1 : index
// SECOND-NEXT:  %[[N:.*]] = arith.constant 2 : index
// SECOND-NEXT:  air.herd @herd_0 tile{{ *}}(%{{.*}}, %[[Y:.*]]) in (%{{.*}}=%[[ONE]], %{{.*}}=%[[N]])
// SECOND:         affine.apply #{{.*}}(%[[Y]])
func.func @one(%a: memref<16xindex, 2>) {
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c4) to (%c10) step (%c3) {
    memref.store %i, %a[%i] : memref<16xindex, 2>
  }
  return
}

// -----

// Two dimensions map as they are, without an affine.apply where they count 0, 1, 2, ...

// CHECK-LABEL:  func.func @two
// CHECK:        air.herd @herd_0 tile{{ *}}(%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c3{{.*}}) args(%[[A:.*]]=%{{.*}}) : memref<16xindex, 2> {
// CHECK-NEXT:     memref.store %[[X]], %[[A]][%[[Y]]]

// SECOND-LABEL: func.func @two
// SECOND:       air.herd @herd_0 tile{{ *}}(%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c3{{.*}}, %{{.*}}=%c2{{.*}}) args(%[[A:.*]]=%{{.*}}) : memref<16xindex, 2> {
// SECOND-NEXT:    memref.store %[[Y]], %[[A]][%[[X]]]
func.func @two(%a: memref<16xindex, 2>) {
  scf.forall (%i, %j) in (2, 3) {
    memref.store %i, %a[%j] : memref<16xindex, 2>
  }
  return
}

// -----

// Of more dimensions the last two become the herd; the others keep their bounds in a loop around it.

// CHECK-LABEL:  func.func @four
// CHECK:        scf.parallel (%[[I:.*]], %[[J:.*]]) = (%{{.*}}, %{{.*}}) to (%c4{{.*}}, %c2{{.*}}) step (%c2{{.*}}, %c1{{.*}}) {
// CHECK:          air.herd @herd_0 tile{{ *}}(%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c3{{.*}}, %{{.*}}=%c2{{.*}}) args(%{{.*}}=%[[I]], %{{.*}}=%[[J]], %{{.*}}=%{{.*}}) : index, index, memref<4x2x3x4xindex, 2> {
// CHECK:            affine.apply #{{.*}}(%[[Y]])
// CHECK:            memref.store
// CHECK:          scf.reduce
func.func @four(%a: memref<4x2x3x4xindex, 2>) {
  affine.parallel (%i, %j, %k, %l) = (0, 0, 0, 0) to (4, 2, 3, 4) step (2, 1, 1, 2) {
    %n = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
    affine.store %n, %a[%i, %j, %k, %l] : memref<4x2x3x4xindex, 2>
  }
  return
}

// -----

// CHECK-LABEL:  func.func @three
// CHECK:        scf.parallel
// CHECK-NEXT:     arith.constant
// CHECK-NEXT:     arith.constant
// CHECK-NEXT:     air.herd @herd_0 tile ({{.*}}) in ({{.*}}=%c1{{.*}}, {{.*}}=%c7{{.*}})
func.func @three() {
  scf.forall (%i, %j, %k) in (5, 1, 7) {
    "test.use"(%i, %j, %k) : (index, index, index) -> ()
  }
  return
}

// -----

// One iteration is a herd of one core; without iterations nothing is left.

// CHECK-LABEL:  func.func @counts
// CHECK-NOT:    test.never
// CHECK:        air.herd @herd_0 tile{{ *}}(%{{.*}}, %{{.*}}) in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c1{{.*}})
// CHECK:          test.once
// CHECK-NOT:    air.herd
func.func @counts() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c0, %c2) to (%c2, %c2) step (%c1, %c1) {
    scf.forall (%k) in (2) {
      "test.never"(%i) : (index) -> ()
    }
  }
  scf.forall (%i) = (3) to (1) step (2) {
    "test.never"(%i) : (index) -> ()
  }
  scf.parallel (%i) = (%c1) to (%c2) step (%c1) {
    "test.once"(%i) : (index) -> ()
  }
  return
}
