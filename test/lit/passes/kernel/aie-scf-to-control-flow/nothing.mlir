// RUN: allo-opt %s --aie-scf-to-control-flow | filecheck %s

// A sequence alone, the last operation of its device, stays as it is; so does a core without loops.

// CHECK: aie.core
// CHECK-NEXT: aie.end
// CHECK: aie.runtime_sequence @one
// CHECK: scf.for
// CHECK: aie.runtime_sequence @two
// CHECK: scf.for
aie.device(npu1) {
  %t = aie.tile(0, 2)
  aie.core(%t) {
    aie.end
  }
  aie.runtime_sequence @one(%n : index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      aiex.npu.write32 {address = 4096 : ui32, value = 7 : ui32}
    }
  }
  aie.runtime_sequence @two(%n : index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      aiex.npu.write32 {address = 4096 : ui32, value = 7 : ui32}
    }
  }
}
