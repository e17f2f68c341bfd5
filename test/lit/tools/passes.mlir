// RUN: allo-opt %s -canonicalize --pass-pipeline='builtin.module(func.func(cse),symbol-dce)' --affine-loop-unroll=unroll-factor=2 --print-pipeline | filecheck %s
// RUN: allo-opt --list-passes | filecheck %s --check-prefix=LIST
// RUN: allo-opt --help-pass=tile-matmul | filecheck %s --check-prefix=HELP
// RUN: allo-opt %s --cse --timing 2>&1 | filecheck %s --check-prefix=TIME
// RUN: not allo-opt %s --tile-matmul='m=1 k=2' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not allo-opt %s --pass-pipeline='builtin.module(cse,canonicalise)' 2>&1 | filecheck %s --check-prefix=NEAR

// CHECK: builtin.module(canonicalize,func.func(cse),symbol-dce,func.func(affine-loop-unroll{unroll-factor=2}))

// LIST: allo_air passes and schedules:
// LIST: tile-matmul {{ +}}Tiles every linalg.matmul
// LIST: passes of mlir-aie and mlir-air that are not here:
// LIST: airrt-to-llvm {{ +}}it calls the host library of Versal boards: use airrt-to-npu
// LIST: upstream passes:
// LIST: one-shot-bufferize

// HELP: options:
// HELP-NEXT: m  Rows of a tile of the result (an int; required)
// HELP-NEXT: n  Columns of a tile of the result (an int; required)

// TIME: cse
// TIME: 100.0%  total

// OPTION: error: pass 'tile-matmul' has no option 'k'; its options: m, n

// NEAR: <pipeline>:1:20: error: unknown pass 'canonicalise'; did you mean 'canonicalize'
// NEAR-NEXT: builtin.module(cse,canonicalise)
// NEAR-NEXT: {{^}}                   ^

module {}
