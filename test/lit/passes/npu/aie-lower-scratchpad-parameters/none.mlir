// RUN: allo-opt %s --aie-lower-scratchpad-parameters | filecheck %s

// Without parameters nothing changes.

// CHECK-NOT: scratchpad
// CHECK: aie.runtime_sequence
// CHECK-NOT: scratchpad
module {
  aie.device(npu1) {
    %t = aie.tile(0, 2)
    aie.runtime_sequence(%a: memref<64xi32>) {
    }
  }
}
