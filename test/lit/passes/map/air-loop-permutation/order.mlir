// RUN: allo-opt %s --air-loop-permutation="loop-order=2,0,1 air-post-label=done" | filecheck %s
// RUN: allo-opt %s --air-loop-permutation="loop-order=1,0 air-label=other" | filecheck %s --check-prefix=OTHER

// The outermost loop goes to depth 2, the next to 0, the innermost to 1. The rest of the nest stays inside.
// CHECK-LABEL: func.func @three
// CHECK: affine.for %[[J:.*]] = 0 to 5 step 2 {
// CHECK-NEXT: affine.for %[[K:.*]] = 0 to 6 {
// CHECK-NEXT: affine.for %[[I:.*]] = 1 to 4 {
// CHECK-NEXT: arith.addi %[[I]], %[[J]]
// CHECK: } {affine_opt_label = "done"}
// OTHER-LABEL: func.func @three
// OTHER: affine.for %{{.*}} = 1 to 4 {
func.func @three() {
  affine.for %i = 1 to 4 {
    affine.for %j = 0 to 5 step 2 {
      affine.for %k = 0 to 6 {
        %0 = arith.addi %i, %j : index
        %1 = arith.addi %0, %k : index
      }
    }
  } {affine_opt_label = "nest"}
  return
}

// OTHER-LABEL: func.func @two_of_three
// OTHER: affine.for %{{.*}} = 0 to 3 {
// OTHER-NEXT: affine.for %{{.*}} = 0 to 2 {
// OTHER-NEXT: affine.for %{{.*}} = 0 to 4 {
func.func @two_of_three() {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        %0 = arith.addi %i, %k : index
      }
    }
  } {affine_opt_label = "other"}
  return
}

// CHECK-LABEL: func.func @unlabelled
// CHECK: affine.for %{{.*}} = 0 to 2 {
func.func @unlabelled() {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
    }
  }
  return
}
