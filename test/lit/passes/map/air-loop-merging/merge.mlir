// RUN: allo-opt %s --air-loop-merging="loop-merge-levels=1,2" | filecheck %s
// RUN: allo-opt %s --air-loop-merging="loop-merge-levels=0,1,2 air-post-label=one" | filecheck %s --check-prefix=ALL

// The loops in the middle become one; first values and steps stay those of the old counters.
// CHECK-LABEL: func.func @three
// CHECK: affine.for %[[I:.*]] = 0 to 3 {
// CHECK-NEXT: affine.for %[[N:.*]] = 0 to 20 {
// CHECK-NEXT: %[[J:.*]] = affine.apply #[[DIV:.*]](%[[N]])
// CHECK-NEXT: %[[K:.*]] = affine.apply #[[MOD:.*]](%[[N]])
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[I]], %[[J]]
// CHECK-NEXT: arith.addi %[[S]], %[[K]]
// ALL-LABEL: func.func @three
// ALL: affine.for %[[N:.*]] = 0 to 60 {
// ALL-COUNT-3: affine.apply
// ALL-NOT: affine.for
// ALL: affine_opt_label = "one"
func.func @three() {
  affine.for %i = 0 to 3 {
    affine.for %j = 2 to 12 step 2 {
      affine.for %k = 0 to 4 {
        %0 = arith.addi %i, %j : index
        %1 = arith.addi %0, %k : index
      }
    }
  } {affine_opt_label = "nest"}
  return
}
