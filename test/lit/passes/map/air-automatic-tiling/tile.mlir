// RUN: allo-opt %s --air-automatic-tiling="loop-tile-sizes=4 air-label=nest air-post-label=tiled" | filecheck %s
// RUN: allo-opt %s --air-automatic-tiling | filecheck %s --check-prefix=PRIMES

// One size is that of all loops.
// CHECK-LABEL: func.func @nest
// CHECK: affine.for %[[T:.*]] = 0 to 12 step 4 {
// CHECK-NEXT: affine.for %[[U:.*]] = 0 to 10 step 4 {
// CHECK-NEXT: affine.for %[[I:.*]] = #{{.*}}(%[[T]]) to #{{.*}}(%[[T]]) {
// CHECK-NEXT: affine.for %[[J:.*]] = #{{.*}}(%[[U]]) to min #{{.*}}(%[[U]]) {
// CHECK-NEXT: arith.addi %[[I]], %[[J]]
// CHECK: affine_opt_label = "tiled"
// Without sizes: the largest prime factors, 3 of 12 and 5 of 10.
// PRIMES-LABEL: func.func @nest
// PRIMES: affine.for %{{.*}} = 0 to 12 step 3 {
// PRIMES-NEXT: affine.for %{{.*}} = 0 to 10 step 5 {
func.func @nest() {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 10 {
      %0 = arith.addi %i, %j : index
    }
  } {affine_opt_label = "nest"}
  return
}

// CHECK-LABEL: func.func @other
// CHECK: affine.for %{{.*}} = 0 to 1 {
// PRIMES-LABEL: func.func @other
// PRIMES: affine.for %{{.*}} = 0 to 1 {
func.func @other() {
  affine.for %i = 0 to 1 {
    %0 = arith.addi %i, %i : index
  } {affine_opt_label = "other"}
  return
}
