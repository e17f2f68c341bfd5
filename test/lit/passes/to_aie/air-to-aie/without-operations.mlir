// RUN: allo-opt %s --split-input-file --air-to-aie=device=npu1 | filecheck %s

// A module without operations gets an empty list of segments.
// CHECK: module
// CHECK-NEXT: airrt.module_metadata

// -----

// So does one that holds devices only; it is after them.
// CHECK: aie.device(npu1_1col) @d
// CHECK: airrt.module_metadata
aie.device(npu1_1col) @d {
  %t = aie.tile(0, 2)
}
