// RUN: allo-opt %s --air-linalg-op-stats --verify-diagnostics

func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  // expected-error@below {{has a loop of unknown extent, so its operations cannot be counted; use static shapes}}
  linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}
