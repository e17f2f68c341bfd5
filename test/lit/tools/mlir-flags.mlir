// Flags of mlir-opt that people type by habit.
// RUN: allo-opt %s -mlir-print-ir-after-all --canonicalize --cse 2>&1 >/dev/null | filecheck %s --check-prefix=AFTER
// RUN: allo-opt %s --mlir-print-ir-before-all --canonicalize --cse 2>&1 >/dev/null | filecheck %s --check-prefix=BEFORE
// RUN: allo-opt %s --mlir-print-ir-before=cse --mlir-print-ir-after=canonicalize,cse --canonicalize --cse 2>&1 >/dev/null | filecheck %s --check-prefix=SOME
// RUN: allo-opt %s --mlir-print-ir-after-change --mlir-print-ir-module-scope --canonicalize --cse 2>&1 >/dev/null | filecheck %s --check-prefix=CHANGE
// RUN: allo-opt %s --mlir-elide-elementsattrs-if-larger=4 --mlir-disable-threading --mlir-print-op-on-diagnostic=false | filecheck %s --check-prefix=ELIDE
// RUN: allo-opt %s --mlir-print-skip-regions | filecheck %s --check-prefix=SKIP
// RUN: allo-opt %s --mlir-print-debuginfo --mlir-pretty-debuginfo | filecheck %s --check-prefix=WHERE
// RUN: allo-opt %s --no-implicit-module --canonicalize --verify-roundtrip | filecheck %s --check-prefix=ALONE
// RUN: allo-opt %s --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-local-scope --mlir-timing -o %t 2>&1 | filecheck %s --check-prefix=TIMING
// RUN: allo-opt --show-dialects | filecheck %s --check-prefix=DIALECTS
// RUN: not allo-opt %s --pipeline=npu --device=npu2 2>&1 | filecheck %s --check-prefix=DEVICE
// RUN: not allo-opt %s --pipeline=npu --explian 2>&1 | filecheck %s --check-prefix=MISSPELLED
// RUN: not allo-opt %s --emit-bytecode 2>&1 | filecheck %s --check-prefix=BYTECODE
// RUN: not allo-opt %s --cse --mlir-print-ir-after=cs 2>&1 | filecheck %s --check-prefix=NOPASS
// RUN: not allo-opt %s --mlir-elide-elementsattrs-if-larger=few 2>&1 | filecheck %s --check-prefix=FEW

// AFTER: // -----// IR Dump After canonicalize //----- //
// AFTER: func.func @f
// AFTER-NOT: arith.addf
// AFTER: // -----// IR Dump After cse //----- //
// BEFORE: // -----// IR Dump Before canonicalize //----- //
// BEFORE: arith.addf
// BEFORE: // -----// IR Dump Before cse //----- //
// SOME: IR Dump After canonicalize
// SOME: IR Dump Before cse
// SOME: IR Dump After cse
// CHANGE: IR Dump After canonicalize
// CHANGE-NOT: IR Dump After cse
// ELIDE: dense_resource<__elided__> : tensor<8xf32>
// SKIP: module
// SKIP-NOT: func.func
// WHERE: arith.addf {{.*}} {{.*}}mlir-flags.mlir:{{[0-9]+:[0-9]+}}
// ALONE-NOT: module
// ALONE: {{^}}func.func @f
// TIMING: Time per pass:
// DIALECTS: Available Dialects: {{.*}}affine, aie, aievec, aievec_aie1, aiex, air, airrt, {{.*}}linalg
// DEVICE: error: '--device' is not a flag of allo-opt
// MISSPELLED: unknown flag or pass '--explian'; did you mean '--explain'?
// BYTECODE: error: '--emit-bytecode' is not a flag of allo-opt: output is text
// NOPASS: error: unknown pass of this pipeline 'cs'; did you mean 'cse'?
// FEW: error: '--mlir-elide-elementsattrs-if-larger=few': expected a number

func.func @f() -> tensor<8xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %d = arith.addf %c, %c : tensor<8xf32>
  return %d : tensor<8xf32>
}
