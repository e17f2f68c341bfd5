// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-regularize-loop

func.func @written(%a: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    // expected-error@below {{cannot be repeated in each iteration of the loop after it; move it out of the nest}}
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
    // expected-error@below {{follows a loop of a nest that must be perfect}}
    affine.store %x, %a[%i] : memref<4xf32>
  } {affine_opt_label = "nest"}
  return
}

// -----

func.func @filled(%a: memref<4xf32>, %b: memref<4x8xf32>, %z: f32) {
  affine.for %i = 0 to 4 {
    // expected-error@below {{cannot be repeated in each iteration of the loop after it; move it out of the nest}}
    %0 = affine.load %a[%i] : memref<4xf32>
    affine.for %j = 0 to 8 {
      affine.store %0, %b[%i, %j] : memref<4x8xf32>
      linalg.fill ins(%z : f32) outs(%a : memref<4xf32>)
    }
  } {affine_opt_label = "nest"}
  return
}

// -----

func.func private @unknown()
func.func @called(%a: memref<4xf32>, %b: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    // expected-error@below {{cannot be repeated in each iteration of the loop after it; move it out of the nest}}
    %0 = affine.load %a[%i] : memref<4xf32>
    affine.for %j = 0 to 8 {
      affine.store %0, %b[%i, %j] : memref<4x8xf32>
      func.call @unknown() : () -> ()
    }
  } {affine_opt_label = "nest"}
  return
}

// -----

func.func @first_value(%a: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    // expected-error@below {{cannot go into the innermost loop, since 'affine.for'}}
    %0 = affine.load %a[%i] : memref<4xf32>
    affine.for %j = 0 to 8 iter_args(%x = %0) -> f32 {
      %y = arith.addf %x, %x : f32
      affine.yield %y : f32
    }
  } {affine_opt_label = "nest"}
  return
}

// -----

func.func @bound(%b: memref<16xf32>, %v: f32) {
  affine.for %i = 0 to 4 {
    // expected-error@below {{cannot go into the innermost loop, since 'affine.for'}}
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%n) {
      affine.store %v, %b[%j] : memref<16xf32>
    }
  } {affine_opt_label = "nest"}
  return
}
