// RUN: allo-opt %s --air-par-to-launch=has-air-segment=true | filecheck %s
// RUN: allo-opt %s --air-par-to-launch='depth=0 has-air-segment=true' | filecheck %s
// RUN: allo-opt %s --air-par-to-launch='depth=-1 has-air-segment=true' | filecheck %s --check-prefix=INNER

// The segment takes the whole body, and the launch's ids, sizes and arguments; it is called after the function, by a free name.

// CHECK-LABEL: func.func @f
// CHECK-SAME:  (%[[A:.*]]: memref<8xi32>)
// CHECK:       air.launch (%[[I:.*]], %[[J:.*]]) in (%[[M:.*]]=%c4{{.*}}, %[[N:.*]]=%c2{{.*}}) args(%[[B:.*]]=%[[A]]) : memref<8xi32> {
// CHECK-NEXT:    air.segment @f_1 args(%[[P:.*]]=%[[I]], %[[Q:.*]]=%[[J]], %{{.*}}=%[[M]], %{{.*}}=%[[N]], %[[C:.*]]=%[[B]]) : index, index, index, index, memref<8xi32> {
// CHECK-DAG:       %[[R:.*]] = affine.apply #{{.*}}(%[[P]])
// CHECK-DAG:       %[[S:.*]] = affine.apply #{{.*}}(%[[Q]])
// CHECK-DAG:       %[[Z:.*]] = arith.constant 0 : i32
// CHECK:           scf.forall (%[[K:.*]]) in (3) {
// CHECK:             memref.store %[[Z]], %[[C]][%[[R]]]
// CHECK:             memref.store %[[Z]], %[[C]][%[[S]]]
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

// Sixteen changes of type are held; the segment has one more than the launch.

// CHECK-LABEL: func.func @alternating
// CHECK:       air.launch {{.*}} : memref<1xindex>, index, memref<1xindex>, index,
// CHECK:       air.segment @alternating_0 args({{.*}}) : index, index, index, index, index, index, index, index, index, index, memref<1xindex>,
func.func @alternating(%i0: index, %a0: memref<1xindex>, %i1: index, %a1: memref<1xindex>, %i2: index, %a2: memref<1xindex>, %i3: index, %a3: memref<1xindex>, %i4: index, %a4: memref<1xindex>, %i5: index, %a5: memref<1xindex>, %i6: index, %a6: memref<1xindex>, %i7: index, %a7: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  scf.forall (%x) in (2) {
    %x0 = memref.load %a0[%c0] : memref<1xindex>
    memref.store %i0, %a0[%c0] : memref<1xindex>
    %x1 = memref.load %a1[%c0] : memref<1xindex>
    memref.store %i1, %a1[%c0] : memref<1xindex>
    %x2 = memref.load %a2[%c0] : memref<1xindex>
    memref.store %i2, %a2[%c0] : memref<1xindex>
    %x3 = memref.load %a3[%c0] : memref<1xindex>
    memref.store %i3, %a3[%c0] : memref<1xindex>
    %x4 = memref.load %a4[%c0] : memref<1xindex>
    memref.store %i4, %a4[%c0] : memref<1xindex>
    %x5 = memref.load %a5[%c0] : memref<1xindex>
    memref.store %i5, %a5[%c0] : memref<1xindex>
    %x6 = memref.load %a6[%c0] : memref<1xindex>
    memref.store %i6, %a6[%c0] : memref<1xindex>
    %x7 = memref.load %a7[%c0] : memref<1xindex>
    memref.store %i7, %a7[%c0] : memref<1xindex>
  }
  return
}

// A loop without dimensions is one launch; what has a segment gets no second one.

// CHECK-LABEL: func.func @point
// CHECK:       air.launch (%{{.*}}) in (%{{.*}}=%c1{{.*}})
// CHECK:         air.segment @point_0
// CHECK:       air.launch
// CHECK-NEXT:    air.segment @mine
// CHECK-NOT:   air.segment
func.func @point() {
  affine.parallel () = () to () {
  }
  scf.forall (%i) in (2) {
    air.segment @mine {
    }
  }
  return
}
