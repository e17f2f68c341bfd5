// RUN: allo-opt %s --verify-diagnostics --air-herd-assign

func.func @one() {
  // expected-error@below {{is a perfect nest of 1 loop, which has no two at depths 0 and 1; give a herd-assign-depth that it has}}
  affine.for %i = 0 to 4 {
  } {affine_opt_label = "nest"}
  return
}
