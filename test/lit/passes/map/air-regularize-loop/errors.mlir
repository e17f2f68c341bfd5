// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-regularize-loop

func.func @written(%a: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    // expected-error@below {{cannot be done again in each round of the loop behind it; move it out of the nest}}
    %0 = affine.load %a[%i] : memref<4xf32>
    affine.for %j = 0 to 4 {
      affine.store %0, %a[%j] : memref<4xf32>
    }
  } {affine_opt_label = "nest"}
  return
}

// -----

func.func @behind(%a: memref<4xf32>, %x: f32) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
    }
    // expected-error@below {{stands behind a loop of a nest that shall be perfect}}
    affine.store %x, %a[%i] : memref<4xf32>
  } {affine_opt_label = "nest"}
  return
}
