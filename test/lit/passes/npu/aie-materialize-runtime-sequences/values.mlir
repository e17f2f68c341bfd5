// RUN: allo-opt --aie-materialize-runtime-sequences %s | filecheck %s

// A sequence that loads and runs nothing keeps its loops; one that is run keeps those over its scalars.

module {
  aie.device(npu2) @main {
    aie.runtime_sequence @loop(%b: memref<64xi32>, %n: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = arith.index_cast %n : i32 to index
      scf.for %i = %c0 to %e step %c1 {
        aiex.npu.preempt {level = 1 : ui8}
      }
    }
    aie.runtime_sequence @caller(%b: memref<64xi32>, %n: i32) {
      aiex.configure @main {
        aiex.run @loop(%b, %n) : (memref<64xi32>, i32)
      }
    }
  }
}

// CHECK: aie.runtime_sequence @loop(%arg0: memref<64xi32>, %arg1: i32) {
// CHECK: scf.for
// CHECK: aie.runtime_sequence @caller(%arg0: memref<64xi32>, %arg1: i32) {
// CHECK: aiex.npu.load_pdi {device_ref = @main}
// CHECK: arith.index_cast %arg1 : i32 to index
// CHECK: scf.for
// CHECK-NEXT: aiex.npu.preempt {level = 1 : ui8}
