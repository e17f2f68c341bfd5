// RUN: allo-opt %s --verify-diagnostics --affine-loop-opt="affine-opt-tile-sizes=4 affine-opt-tile-separate=true" --split-input-file

func.func @uneven() {
  // expected-error@+1 {{'affine.for' op has 10 iterations, and partial tiles of 4 are not separated; choose a divisor of 10}}
  affine.for %i = 0 to 10 {
  } {affine_opt_label = "tiling"}
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error@+1 {{cannot be tiled: its bounds are not constant}}
  affine.for %i = 0 to %n {
  } {affine_opt_label = "tiling"}
  return
}
