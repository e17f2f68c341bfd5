// RUN: allo-opt %s --load=%S/Inputs/complain.py --pipeline=checked-cse | filecheck %s
// RUN: allo-opt %s --load=%S/Inputs/complain.py --pipeline='checked-cse{prefix=go}' --symbol-dce --print-pipeline | filecheck %s --check-prefix=TEXT
// RUN: allo-opt %s --load=%S/Inputs/complain.py --pipeline=checked-cse --start-from=cse --stop-after=cse --print-pipeline | filecheck %s --check-prefix=PART
// RUN: allo-opt %s --load=%S/Inputs/complain.py --list-pipelines | filecheck %s --check-prefix=LIST
// RUN: not allo-opt %s --load=%S/Inputs/complain.py --pipeline=checked-csee 2>&1 | filecheck %s --check-prefix=NEAR

// CHECK-LABEL: func.func @good
// CHECK: arith.addi
// CHECK-NOT: arith.addi
// CHECK: return

// TEXT: builtin.module(complain{prefix=go},func.func(cse,canonicalize),symbol-dce)
// PART: builtin.module(func.func(cse))
// LIST: checked-cse  Checks names, then removes common subexpressions
// NEAR: error: unknown pipeline 'checked-csee'; did you mean 'checked-cse'?

func.func @good(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
