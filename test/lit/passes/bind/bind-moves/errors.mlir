// RUN: allo-opt %s --bind-moves --split-input-file --verify-diagnostics

// Plans that somebody wrote.
// expected-error@below {{has a plan that moves argument 7, and 2 arguments}}
func.func private @other(%x: memref<8xi32>, %y: memref<8xi32>) attributes {allo.kernel, allo.plan = {family = "move", routes = [{operand = "0", walks = [array<i64: 7, 0, 8, 1>, array<i64: 1, 0, 8, 1>]}]}} {
  memref.copy %x, %y : memref<8xi32> to memref<8xi32>
  return
}

// -----

// expected-error@below {{has a plan that moves 4 elements to 8; both ends of a transfer need the same number of elements}}
func.func private @less(%x: memref<8xi32>, %y: memref<8xi32>) attributes {allo.kernel, allo.plan = {family = "move", routes = [{operand = "0", walks = [array<i64: 0, 0, 4, 1>, array<i64: 1, 0, 8, 1>]}]}} {
  memref.copy %x, %y : memref<8xi32> to memref<8xi32>
  return
}

// -----

// expected-error@below {{has a plan that moves elements 4 to 11 of memref<8xi32>}}
func.func private @outside(%x: memref<8xi32>, %y: memref<8xi32>) attributes {allo.kernel, allo.plan = {family = "move", routes = [{operand = "0", walks = [array<i64: 0, 4, 8, 1>, array<i64: 1, 0, 8, 1>]}]}} {
  memref.copy %x, %y : memref<8xi32> to memref<8xi32>
  return
}
