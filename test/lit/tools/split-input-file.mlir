// RUN: allo-opt %s --split-input-file --cse | filecheck %s
// RUN: allo-opt %s --split-input-file --cse --dump-ir=%t.dir && ls %t.dir/chunk-2 | filecheck %s --check-prefix=DUMP

// CHECK: func.func private @one
// CHECK: // -----
// CHECK: func.func private @one
// DUMP: 000-input.mlir
// DUMP-NEXT: 001-cse.mlir

func.func private @one()

// -----

func.func private @one()
