// RUN: allo-opt %s --split-input-file --cse | filecheck %s
// RUN: allo-opt %s --split-input-file --output-split-marker='// =====' | filecheck %s --check-prefix=OTHER
// RUN: allo-opt %s --split-input-file --cse --dump-ir=%t.dir && ls %t.dir/chunk-2 | filecheck %s --check-prefix=DUMP

// CHECK: func.func private @one
// CHECK: // -----
// CHECK: func.func private @one
// OTHER: func.func private @one
// OTHER-NEXT: }
// OTHER-NEXT: // =====
// OTHER-NOT: // -----
// DUMP: 000-input.mlir
// DUMP-NEXT: 001-cse.mlir

func.func private @one()

// -----

func.func private @one()
