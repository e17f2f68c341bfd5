// RUN: allo-opt %s --aie-materialize-runtime-sequences | filecheck %s

// How a configuration is loaded goes along.
// CHECK: aie.runtime_sequence @modes
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @other, expand_mode = 2 : i32}
module {
  aie.device(npu2) @other {
  }
  aie.device(npu2) {
    aie.runtime_sequence @modes(%a: memref<4xi32>) {
      aiex.configure @other {
      } {expand_mode = 2 : i32}
    }
  }
}
