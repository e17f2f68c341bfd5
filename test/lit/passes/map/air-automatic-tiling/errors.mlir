// RUN: allo-opt %s --verify-diagnostics --air-automatic-tiling="loop-tile-sizes=4 tile-separate=true"
// RUN: not allo-opt %s --air-automatic-tiling=loop-tile-sizes=0 2>&1 | filecheck %s

// CHECK: option 'loop-tile-sizes' has a size below 1
func.func @nest() {
  // expected-error@below {{has 10 iterations, and partial tiles of 4 are not separated; choose a divisor of 10}}
  affine.for %i = 0 to 10 {
  } {affine_opt_label = "nest"}
  return
}
