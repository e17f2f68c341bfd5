// RUN: allo-opt %s --allow-unregistered-dialect --air-par-to-segment | filecheck %s
// RUN: allo-opt %s --allow-unregistered-dialect --air-par-to-segment=depth=0 | filecheck %s --check-prefix=OUTER
// RUN: allo-opt %s --allow-unregistered-dialect --air-par-to-segment=depth=-1 | filecheck %s --check-prefix=INNER

// The outer loop becomes the segment; a loop in it stays for the herd.

// CHECK-LABEL: func.func @f
// CHECK:         air.segment @f_0 unroll{{ ?}}(%[[I:.*]]) in (%{{.*}}=%c2{{.*}}) args(%[[A:.*]]=%arg0) : memref<2x4xi32> {
// CHECK:           scf.parallel
// OUTER:         air.segment @f_0 unroll
// INNER:         scf.parallel
// INNER:           air.segment @f_0 unroll{{ ?}}(%{{.*}}) in (%{{.*}}=%c4{{.*}})
func.func @f(%a: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 3 : i32
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      memref.store %v, %a[%i, %j] : memref<2x4xi32>
    }
  }
  return
}

// In a launch, the segment is called after the function too; around a segment nothing changes.

// CHECK-LABEL: func.func @g
// CHECK:         air.launch
// CHECK:           air.segment @g_0 unroll{{ ?}}(%{{.*}}) in (%{{.*}}=%c3{{.*}})
// CHECK-LABEL: func.func @h
// CHECK:         scf.parallel
// CHECK:           air.segment @own
func.func @g() {
  air.launch () in () {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    scf.parallel (%i) = (%c0) to (%c6) step (%c2) {
      "use"(%i) : (index) -> ()
    }
  }
  return
}
func.func @h() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    air.segment @own {
    }
  }
  return
}
