// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-loop-permutation="loop-order=1,0"
// RUN: not allo-opt %s --split-input-file --air-loop-permutation="loop-order=1,1" 2>&1 | filecheck %s

// CHECK: loop-order=1,1 is not an order of 2 of them; give each of 0 to 0 once
func.func @one() {
  // expected-error@below {{is a perfect nest of 1 loop, and loop-order=1,0 is not an order of 2 of them}}
  affine.for %i = 0 to 2 {
    %0 = arith.addi %i, %i : index
    affine.for %j = 0 to 2 {
    }
  } {affine_opt_label = "nest"}
  return
}

// -----

func.func @bounds(%n: index) {
  affine.for %i = 0 to 2 {
    // expected-error@below {{cannot be exchanged: its bounds are not constant, or it returns values}}
    affine.for %j = 0 to %n {
    }
  } {affine_opt_label = "nest"}
  return
}
