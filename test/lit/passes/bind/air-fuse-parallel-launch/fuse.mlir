// RUN: allo-opt %s --air-fuse-parallel-launch --canonicalize | filecheck %s

// The loop's counter becomes the id of the dimension that was 1.
// CHECK-LABEL: func.func @column
// CHECK-NOT: scf.parallel
// CHECK: air.herd @h tile (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c2, %{{.*}}=%c4)
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[X]], %[[Y]]]
func.func @column(%m: memref<2x4xindex, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%k = %i, %a = %m) : index, memref<2x4xindex, 2> {
      memref.store %y, %a[%x, %k] : memref<2x4xindex, 2>
    }
    scf.reduce
  }
  return
}

// The id and the size of that dimension stay 0 and 1 for who uses them.
// CHECK-LABEL: func.func @alone
// CHECK: air.herd tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c2, %{{.*}}=%c1)
// CHECK: memref.store %c1{{.*}}, %{{.*}}[%c0{{.*}}]
func.func @alone(%m: memref<4xindex, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a = %m) : memref<4xindex, 2> {
      memref.store %sx, %a[%x] : memref<4xindex, 2>
    }
    scf.reduce
  }
  return
}

// Other first values and steps, and what is computed beside the herd, are computed in it.
// CHECK-LABEL: func.func @computed
// CHECK: air.herd tile (%[[X:.*]], %{{.*}}) in (%{{.*}}=%c3, %{{.*}}=%c1) args(%[[M:.*]]=%{{.*}}, %[[N:.*]]=%{{.*}})
// CHECK: %[[I:.*]] = affine.apply #{{.*}}()[%[[X]]]
// CHECK: %[[S:.*]] = arith.addi %[[I]], %[[N]]
// CHECK: memref.store %[[S]], %[[M]][%[[I]]]
func.func @computed(%m: memref<16xindex, 2>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c2) to (%c8) step (%c2) {
    %0 = arith.addi %i, %n : index
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%k = %i, %s = %0, %a = %m) : index, index, memref<16xindex, 2> {
      memref.store %s, %a[%k] : memref<16xindex, 2>
    }
    scf.reduce
  }
  return
}

// No dimension of 1, a bound that is a value, something else in the loop: they stay.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: scf.parallel
func.func @kept(%n: index, %m: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) {
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %i, %m[%i] : memref<8xindex>
    air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    }
    scf.reduce
  }
  return
}

// A loop without a round stays.
// CHECK-LABEL: func.func @never
// CHECK-NOT: =%c0
// CHECK: return
func.func @never(%m: memref<4xindex, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c0) step (%c1) {
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c2) args(%k = %i, %a = %m) : index, memref<4xindex, 2> {
      memref.store %y, %a[%k] : memref<4xindex, 2>
    }
    scf.reduce
  }
  return
}
