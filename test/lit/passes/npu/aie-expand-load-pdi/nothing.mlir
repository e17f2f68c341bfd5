// RUN: allo-opt %s --aie-expand-load-pdi | filecheck %s

// A load by address, and a sequence without loads, stay.
// CHECK-NOT: @empty
// CHECK: aiex.npu.load_pdi {address = 4096 : ui64, id = 1 : i32, size = 8 : i32}
aie.device(npu2) {
  aie.runtime_sequence @go(%a : memref<64xi32>) {
    aiex.npu.load_pdi {id = 1 : i32, size = 8 : i32, address = 4096 : ui64}
  }
  aie.runtime_sequence @empty_sequence(%a : memref<64xi32>) {
  }
}
