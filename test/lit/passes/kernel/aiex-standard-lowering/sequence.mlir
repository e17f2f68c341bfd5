// RUN: allo-opt %s --aiex-standard-lowering | filecheck %s

// What a sequence does is not a code of a core; runtime sequences themselves stay.
// CHECK: func.func @f
// CHECK-NEXT: return
// CHECK: aie.runtime_sequence
// CHECK-NEXT: aiex.npu.preempt
module {
  func.func @f(%a: memref<64xi32>) {
    aiex.npu.preempt {level = 3 : ui8}
    return
  }
  aie.device(npu2) {
    aie.runtime_sequence(%a: memref<64xi32>) {
      aiex.npu.preempt {level = 3 : ui8}
    }
  }
}
