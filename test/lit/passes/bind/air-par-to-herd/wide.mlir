// RUN: allo-opt %s --allow-unregistered-dialect --air-par-to-herd='device=npu1_1col' | filecheck %s
// RUN: allo-opt %s --allow-unregistered-dialect --air-par-to-herd='device=npu1' | filecheck %s --check-prefix=WIDE
// RUN: allo-opt %s --allow-unregistered-dialect --air-par-to-herd='device=npu2 first-dim=1' | filecheck %s --check-prefix=ROWS

// A loop longer than the device has columns lies along a column.

// CHECK:      air.herd @herd_0 tile{{ *}}(%{{.*}}, %[[Y:.*]]) in (%{{.*}}=%c1{{[_0-9]*}}, %{{.*}}=%c4{{[_0-9]*}})
// CHECK-NEXT:   %[[AT:.*]] = affine.apply #{{.*}}(%[[Y]])
// CHECK-NEXT:   memref.store %[[AT]]

// WIDE:      air.herd @herd_0 tile{{ *}}(%[[X:.*]], %{{.*}}) in (%{{.*}}=%c4{{[_0-9]*}}, %{{.*}}=%c1{{[_0-9]*}})
// WIDE-NEXT:   %[[AT:.*]] = affine.apply #{{.*}}(%[[X]])
// WIDE-NEXT:   memref.store %[[AT]]
func.func @f(%a: memref<4xindex, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %i, %a[%i] : memref<4xindex, 2>
  }
  return
}

// A loop with an iteration for each core of the device lies along both of its dimensions, column by column.

// WIDE-LABEL: func.func @both
// WIDE:       air.herd @herd_{{.*}} tile{{ *}}(%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c4{{[_0-9]*}}, %{{.*}}=%c4{{[_0-9]*}})
// WIDE:         %[[I:.*]] = affine.apply {{.*}}(%{{.*}}, %{{.*}})
// WIDE-NEXT:    memref.store %[[I]]
func.func @both(%a: memref<18xindex, 2>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c18 = arith.constant 18 : index
  scf.parallel (%i) = (%c2) to (%c18) step (%c1) {
    memref.store %i, %a[%i] : memref<18xindex, 2>
  }
  return
}

// A plan lays eight cores of a matrix multiplication over two columns.

// WIDE-LABEL: func.func @planned
// WIDE:       air.herd {{.*}} in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c4{{.*}})
func.func @planned(%a: memref<18xindex, 2>) attributes {allo.plan = {family = "matmul", spread = 2 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %i, %a[%i] : memref<18xindex, 2>
  }
  return
}

// Where a loop lies along both dimensions, first-dim exchanges nothing: rows and columns stay those of the device.

// ROWS-LABEL: func.func @all_of_npu2
// ROWS:       air.herd {{.*}} in (%{{.*}}=%c8{{.*}}, %{{.*}}=%c4{{.*}})
func.func @all_of_npu2(%a: memref<32xindex, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
    memref.store %i, %a[%i] : memref<32xindex, 2>
  }
  return
}

// A plan of tiles for one column of cores lies along it; one for several columns lies along these.

// WIDE-LABEL: func.func @column
// WIDE:       air.herd {{.*}} in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c2{{.*}})
func.func @column(%a: memref<2xindex, 2>) attributes {allo.plan = {family = "tiles", cores = array<i64: 1, 2>}} {
  scf.forall (%i) in (2) {
    memref.store %i, %a[%i] : memref<2xindex, 2>
  }
  return
}

// WIDE-LABEL: func.func @columns
// WIDE:       air.herd {{.*}} in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c1{{.*}})
func.func @columns(%a: memref<2xindex, 2>) attributes {allo.plan = {family = "tiles", cores = array<i64: 2, 1>}} {
  scf.forall (%i) in (2) {
    memref.store %i, %a[%i] : memref<2xindex, 2>
  }
  return
}
