// RUN: allo-opt %s --affine-loop-opt="affine-opt-tile-sizes=4,4" | filecheck %s
// RUN: allo-opt %s --affine-loop-opt="affine-opt-tile-sizes=4,4" --affine-loop-opt="affine-opt-tile-sizes=4,4" | filecheck %s
// RUN: allo-opt %s --affine-loop-opt | filecheck %s --check-prefix=NOTHING

// CHECK-LABEL: func.func @uneven
// CHECK: affine.for %[[T:.*]] = 0 to 10 step 4 {
// CHECK-NEXT: affine.for %[[U:.*]] = 0 to 8 step 4 {
// CHECK-NEXT: affine.for %[[I:.*]] = #{{.*}}(%[[T]]) to min #{{.*}}(%[[T]]) {
// CHECK-NEXT: affine.for %[[J:.*]] = #{{.*}}(%[[U]]) to #{{.*}}(%[[U]]) {
// CHECK-NEXT: arith.addi %[[I]], %[[J]]
// NOTHING-LABEL: func.func @uneven
// NOTHING: affine.for %{{.*}} = 0 to 10 {
// NOTHING-NEXT: affine.for %{{.*}} = 0 to 8 {
func.func @uneven() {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 8 {
      %0 = arith.addi %i, %j : index
    }
  } {affine_opt_label = "tiling"}
  return
}

// A loop without a label is not known to be free of dependences.
// CHECK-LABEL: func.func @unlabelled
// CHECK: affine.for %{{.*}} = 0 to 16 {
func.func @unlabelled() {
  affine.for %i = 0 to 16 {
  }
  return
}

// The label on a loop inside says the same again: the nest is tiled once.
// CHECK-LABEL: func.func @labelled_twice
// CHECK-COUNT-4: affine.for
// CHECK-NOT: affine.for
// CHECK: return
func.func @labelled_twice() {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %0 = arith.addi %i, %j : index
    } {affine_opt_label = "tiling"}
  } {affine_opt_label = "tiling"}
  return
}
