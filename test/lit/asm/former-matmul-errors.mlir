// RUN: not allo-opt %s 2>&1 | filecheck %s

// Places are the user's, after the name as well.
// CHECK: former-matmul-errors.mlir:6:37: error: use of undeclared SSA value name
func.func @f(%a: memref<4x8xi32>, %c: memref<4x4xi32>) {
  linalg.matmul_transpose_b ins(%a, %b : memref<4x8xi32>, memref<4x8xi32>) outs(%c : memref<4x4xi32>)
  return
}
