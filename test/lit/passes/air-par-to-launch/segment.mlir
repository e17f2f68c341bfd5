// RUN: allo-opt %s --air-par-to-launch=has-air-segment=true | filecheck %s
// RUN: allo-opt %s --air-par-to-launch='depth=0 has-air-segment=true' | filecheck %s
// RUN: allo-opt %s --air-par-to-launch='depth=-1 has-air-segment=true' | filecheck %s --check-prefix=INNER

// The segment takes the whole body, and the launch's ids, sizes and arguments; it is called after the function, by a free name.

// CHECK-LABEL: func.func @f
// CHECK-SAME:  (%[[A:.*]]: memref<8xi32>)
// CHECK:       air.launch (%[[I:.*]], %[[J:.*]]) in (%[[M:.*]]=%c4{{.*}}, %[[N:.*]]=%c2{{.*}}) args(%[[B:.*]]=%[[A]]) : memref<8xi32> {
// CHECK-NEXT:    air.segment @f_1 args(%[[P:.*]]=%[[I]], %[[Q:.*]]=%[[J]], %{{.*}}=%[[M]], %{{.*}}=%[[N]], %[[C:.*]]=%[[B]]) : index, index, index, index, memref<8xi32> {
// CHECK-DAG:       %[[R:.*]] = affine.apply #{{.*}}(%[[P]])
// CHECK-DAG:       %[[Z:.*]] = arith.constant 0 : i32
// CHECK:           scf.forall (%[[K:.*]]) in (3) {
// CHECK:             memref.store %[[Z]], %[[C]][%[[R]]]
// CHECK:             memref.store %[[Z]], %[[C]][%[[Q]]]
// CHECK:       air.launch
// CHECK-NEXT:    air.segment @f_2 args

// INNER:       scf.parallel
// INNER:         air.launch (%{{.*}}) in (%{{.*}}=%c3{{.*}})
// INNER:           air.segment @f_1 args
func.func @f(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c2) step (%c2, %c1) {
    scf.forall (%k) in (3) {
      memref.store %zero, %a[%i] : memref<8xi32>
      memref.store %zero, %a[%j] : memref<8xi32>
    }
  }
  scf.forall (%i) in (2) {
    memref.store %zero, %a[%i] : memref<8xi32>
  }
  return
}

func.func @f_0() {
  return
}
