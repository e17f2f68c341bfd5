// RUN: allo-opt %s --split-input-file --verify-diagnostics=only-expected | filecheck %s
// RUN: not allo-opt %s --split-input-file --verify-diagnostics 2>&1 | filecheck %s --check-prefix=ALL
// RUN: not allo-opt %s --verify-diagnostics=some 2>&1 | filecheck %s --check-prefix=WORD

// ALL: error: unexpected error: 'aie.lock' op lock assigned invalid id (maximum is 15)
// WORD: error: '--verify-diagnostics=some': expected all or only-expected

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 16)
}

// -----

// What reads is written, as mlir-opt does.
// CHECK: // -----
// CHECK: func.func private @good()
func.func private @good()
