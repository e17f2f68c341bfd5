// RUN: allo-opt %s --air-regularize-loop | filecheck %s
// RUN: allo-opt %s --air-regularize-loop=air-label=other | filecheck %s --check-prefix=OTHER

// What stands before the inner loops goes into the innermost one, in order.
// CHECK-LABEL: func.func @nest
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT: affine.for %[[K:.*]] = 0 to 2 {
// CHECK-NEXT: %[[X:.*]] = affine.load %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NEXT: affine.store %[[Y]], %{{.*}}[%[[I]], %[[J]]]
// OTHER-LABEL: func.func @nest
// OTHER: affine.for
// OTHER-NEXT: affine.load
func.func @nest(%a: memref<4xf32>, %b: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    %0 = affine.load %a[%i] : memref<4xf32>
    affine.for %j = 0 to 8 {
      %1 = arith.addf %0, %0 : f32
      affine.for %k = 0 to 2 {
        affine.store %1, %b[%i, %j] : memref<4x8xf32>
      }
    }
  } {affine_opt_label = "nest"}
  return
}
