// RUN: allo-opt %s --air-herd-assign | filecheck %s
// RUN: allo-opt %s --air-herd-assign=herd-assign-depth=1 | filecheck %s --check-prefix=INNER
// RUN: allo-opt %s --air-herd-assign=herd-assign-depth=1 --air-par-to-herd | filecheck %s --check-prefix=HERD

// CHECK-LABEL: func.func @nest
// CHECK: affine.parallel (%[[I:.*]], %[[J:.*]]) = (0, 2) to (4, 8) step (1, 2) {
// CHECK-NEXT: affine.for %[[K:.*]] = 0 to 3 {
// INNER-LABEL: func.func @nest
// INNER: affine.for %[[I:.*]] = 0 to 4 {
// INNER-NEXT: affine.parallel (%[[J:.*]], %[[K:.*]]) = (2, 0) to (8, 3) step (2, 1) {
// INNER-NEXT: arith.addi %[[I]], %[[J]]
// HERD: affine.for
// HERD: air.herd
func.func @nest() {
  affine.for %i = 0 to 4 {
    affine.for %j = 2 to 8 step 2 {
      affine.for %k = 0 to 3 {
        %0 = arith.addi %i, %j : index
        %1 = arith.addi %0, %k : index
      }
    }
  } {affine_opt_label = "nest"}
  return
}
