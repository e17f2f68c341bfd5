// RUN: not allo-opt %s --load=%S/Inputs/complain.py --cse --complain 2>&1 | filecheck %s
// RUN: not allo-opt %s --load=%S/Inputs/complain.py --cse --complain --crash-reproducer=%t.mlir
// RUN: filecheck %s --check-prefix=REPRO --input-file=%t.mlir

// CHECK: failing-pass.mlir:{{[0-9]+:[0-9]+}}: error: 'func.func' op is called 'bad', expected a name that starts with 'good'
// CHECK-NEXT: func.func private @bad(i32)
// CHECK: note: pass 'complain' failed (pass 2 of 2); --crash-reproducer=FILE

// REPRO: // allo-opt --load={{.*}}complain.py '--pass-pipeline=builtin.module(complain)'
// REPRO: func.func private @bad(i32)

func.func private @bad(i32)
