// RUN: not allo-opt %s --air-linalg-codegen=l1-tile-size=3 2>&1 | filecheck %s --check-prefix=DIVIDE
// RUN: not allo-opt %s --air-linalg-codegen=l1-tile-size=4,4,4,4 2>&1 | filecheck %s --check-prefix=MANY
// RUN: not allo-opt %s --air-linalg-codegen='l2-tile-size=8 l2-tile-permute=0,0,1' 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: not allo-opt %s --air-linalg-codegen=herd-size=3 2>&1 | filecheck %s --check-prefix=HERD
// RUN: not allo-opt %s --air-linalg-codegen=l1-promote-operands=3 2>&1 | filecheck %s --check-prefix=OPERAND
// RUN: not allo-opt %s --air-linalg-codegen=l1-size=3000 2>&1 | filecheck %s --check-prefix=SIZE
// RUN: not allo-opt %s --air-linalg-codegen=test-patterns=true 2>&1 | filecheck %s --check-prefix=PATTERNS
// RUN: not allo-opt %S/Inputs/tensors.mlir --air-linalg-codegen 2>&1 | filecheck %s --check-prefix=TENSOR
// RUN: not allo-opt %S/Inputs/dynamic.mlir --air-linalg-codegen 2>&1 | filecheck %s --check-prefix=DYNAMIC
// RUN: not allo-opt %s --air-linalg-codegen=l1-tile-size=-4 2>&1 | filecheck %s --check-prefix=NEGATIVE

// DIVIDE: errors.mlir:{{[0-9]+}}:3: error: 'linalg.matmul' op has 16 iterations in loop 0, which is not a multiple of tile size 3; give a divisor
// MANY: has 3 loops, found 4 tile sizes
// ORDER: has 3 loops, and [0, 0, 1] is not a permutation of their numbers
// HERD: has 16 iterations in loop 0, which 3 cores cannot share; set herd-size
// OPERAND: has 3 operands, and operands [3] are to be copied; count from 0
// SIZE: has tiles of 3072 bytes, and l1-size is 3000; give smaller tiles as l1-tile-size
// PATTERNS: option 'test-patterns' is not implemented: use canonicalize and cse
// TENSOR: works on tensors, and only tiles of memrefs are copied to L2 and L1; run one-shot-bufferize first
// DYNAMIC: has a loop 0 whose extent is not known, but tiles must divide it; use static shapes
// NEGATIVE: which is not a multiple of tile size -4
func.func @f(%a: memref<16x16xi32>, %b: memref<16x16xi32>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x16xi32>, memref<16x16xi32>) outs(%c : memref<16x16xi32>)
  return
}
