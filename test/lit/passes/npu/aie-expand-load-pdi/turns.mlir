// RUN: allo-opt %s --aie-expand-load-pdi | filecheck %s

// A user's device that is called like an empty one is not an empty one, and neither is that of another type.
// CHECK-DAG: aie.device(npu2) @empty_1 {
// CHECK-DAG: aie.device(npu2) @empty_2 {
// CHECK-DAG: aie.device(npu1) @empty_3 {
// CHECK-DAG: aie.device(npu1) @empty_4 {

// Each round, and each run of the sequence, begins with the first and ends with the second.
// CHECK: aie.runtime_sequence @loop
// CHECK: aiex.npu.load_pdi {device_ref = @empty_1}
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @empty_2}
// CHECK: aiex.npu.write32
// CHECK: scf.for
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @empty_1}
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @empty_2}
// CHECK-NEXT: aiex.npu.write32
// CHECK-NEXT: }
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @empty_1}
// CHECK-NEXT: aiex.npu.write32
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @empty_2}
// CHECK: aie.device(npu1) @other
// CHECK: aiex.npu.load_pdi {device_ref = @empty_3}
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @empty_4}
module {
  aie.device(npu2) @empty_0 {
    %t = aie.tile(0, 2)
    %l = aie.lock(%t, 2) {init = 3 : i32}
  }
  aie.device(npu2) @main {
    aie.runtime_sequence @loop() {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      aiex.npu.load_pdi {device_ref = @empty_0}
      scf.for %i = %c0 to %c4 step %c1 {
        aiex.npu.load_pdi {device_ref = @empty_0}
      }
      aiex.npu.load_pdi {device_ref = @empty_0}
      aiex.npu.load_pdi {device_ref = @empty_0}
    }
  }
  aie.device(npu1) @small {
    %t = aie.tile(0, 2)
    %l = aie.lock(%t, 2) {init = 3 : i32}
  }
  aie.device(npu1) @other {
    aie.runtime_sequence @s() {
      aiex.npu.load_pdi {device_ref = @small}
    }
  }
}
