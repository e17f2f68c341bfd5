// RUN: allo-opt %s --allow-unregistered-dialect --air-par-to-herd='device=npu1_1col' | filecheck %s
// RUN: allo-opt %s --allow-unregistered-dialect --air-par-to-herd='device=npu1' | filecheck %s --check-prefix=WIDE

// A loop longer than the device has columns lies along a column.

// CHECK:      air.herd @herd_0 tile{{ *}}(%{{.*}}, %[[Y:.*]]) in (%{{.*}}=%c1{{[_0-9]*}}, %{{.*}}=%c4{{[_0-9]*}})
// CHECK-NEXT:   memref.store %[[Y]]

// WIDE:      air.herd @herd_0 tile{{ *}}(%[[X:.*]], %{{.*}}) in (%{{.*}}=%c4{{[_0-9]*}}, %{{.*}}=%c1{{[_0-9]*}})
// WIDE-NEXT:   memref.store %[[X]]
func.func @f(%a: memref<4xindex, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %i, %a[%i] : memref<4xindex, 2>
  }
  return
}
