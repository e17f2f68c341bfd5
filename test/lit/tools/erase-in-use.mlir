// RUN: not allo-opt %s --load=%S/Inputs/wrong_passes.py --erase-constants 2>&1 | filecheck %s
// RUN: allo-opt %s --load=%S/Inputs/wrong_passes.py --symbol-dce --canonicalize --erase-constants | filecheck %s --check-prefix=FINE

// CHECK: erase-in-use.mlir:11:{{[0-9]+}}: error: 'arith.constant' op is erased by the pass while 'arith.addi' at {{.*}}erase-in-use.mlir:12:{{[0-9]+}} uses its result; replace the uses or erase the users first
// CHECK: note: pass 'erase-constants' failed (pass 1 of 1)

// FINE: module
// FINE-NOT: arith.constant

func.func private @unused() -> i32 {
  %c = arith.constant 3 : i32
  %d = arith.addi %c, %c : i32
  return %d : i32
}
