// RUN: allo-opt %s --verify-diagnostics --split-input-file --legalize-arguments

// expected-error@+1 {{takes argument 0 of type memref<4x8xf32, strided<[1, 4]>>, whose strides are not those of a part of an array in row-major order}}
func.func @columns(%a: memref<4x8xf32, strided<[1, 4]>>) {
  return
}

// -----

// expected-error@+1 {{whose strides are not known; a transfer needs them as numbers, or take memref<4x8xf32>}}
func.func @unknown(%a: memref<4x8xf32, strided<[?, 1]>>) {
  return
}

// -----

// expected-error@+1 {{an array begins at its first element: write 'offset: ?', or take the whole array and a memref.subview}}
func.func @offset(%a: memref<4x8xf32, strided<[16, 1], offset: 8>>) {
  return
}

// -----

// expected-error@+1 {{whose strides are not those of a part of an array}}
func.func @overlapping(%a: memref<4x8xf32, strided<[4, 1]>>) {
  return
}

// -----

// expected-error@+1 {{which has no strides; take memref<4x8xf32> and pass a copy}}
func.func @mapped(%a: memref<4x8xf32, affine_map<(d0, d1) -> (d1 mod 4, d0)>>) {
  return
}
