// The first line of a reproducer fails as the run did, with what was checked after each pass.
// RUN: not allo-opt %s --load=%S/Inputs/wrong_passes.py --canonicalize --change-constants --verify-each=execute --verify-seed=7 --crash-reproducer=%t.mlir
// RUN: sed -n 's,^// allo-opt,allo-opt,p' %t.mlir > %t.sh
// RUN: filecheck %s --check-prefix=COMMAND --input-file=%t.sh
// RUN: not bash %t.sh 2>&1 | filecheck %s --check-prefix=EXECUTE
// COMMAND: allo-opt --load={{.*}}wrong_passes.py --verify-each=execute --verify-seed=7 '--pass-pipeline=builtin.module(change-constants)'
// EXECUTE: error: pass 'change-constants' changes what the module computes: @f, result 0

// The levels of a pipeline's stages are checked again.
// RUN: allo-opt %s --load=%S/Inputs/wrong_passes.py --pipeline=tensor-for-a-while
// RUN: not allo-opt %s --load=%S/Inputs/wrong_passes.py --canonicalize --pipeline=tensor-for-a-while --verify-each=level --crash-reproducer=%t.level.mlir
// RUN: sed -n 's,^// allo-opt,allo-opt,p' %t.level.mlir > %t.level.sh
// RUN: filecheck %s --check-prefix=STAGES --input-file=%t.level.sh
// RUN: not bash %t.level.sh 2>&1 | filecheck %s --check-prefix=LEVEL
// STAGES: allo-opt --load={{.*}}wrong_passes.py --verify-each=level --canonicalize --pipeline=tensor-for-a-while '--start-from=leave-tensor#1'
// LEVEL: error: 'tensor.empty' op is not legal at level 'air'
// LEVEL: note: pass 'leave-tensor' left operations that are not legal at level 'air' (pass 1 of 2)

// RUN: not allo-opt %s --load=%S/Inputs/wrong_passes.py --pipeline=tensor-to-the-end --start-from='cse#2' --crash-reproducer=%t.border.mlir
// RUN: sed -n 's,^// allo-opt,allo-opt,p' %t.border.mlir > %t.border.sh
// RUN: not bash %t.border.sh 2>&1 | filecheck %s --check-prefix=LEVEL2
// LEVEL2: note: pass 'leave-tensor' left operations that are not legal at level 'air' (pass 1 of 1)

func.func @f(%a: i32) -> i32 {
  %c = arith.constant 3 : i32
  %d = arith.addi %c, %a : i32
  return %d : i32
}
