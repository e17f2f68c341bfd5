// RUN: allo-opt %s --air-merge-unrolled-devices | filecheck %s
// RUN: not allo-opt %S/Inputs/wide.mlir --air-merge-unrolled-devices 2>&1 | filecheck %s --check-prefix=WIDE

// WIDE: wide.mlir:1:{{.*}}is one of 2 pieces of 4 columns each, and no npu1 has 8 columns

// A device of its own stays.

// CHECK: aie.device(npu1) @alone
// CHECK-NEXT: aie.tile(0, 2)
aie.device(npu1) @alone {
  %t = aie.tile(0, 2)
}
