// RUN: allo-opt %s --aie-txn-to-ctrl-packet --split-input-file --verify-diagnostics

aie.device(npu2) {
  aie.runtime_sequence @configure(%a: memref<6xi32>) {
    // expected-error@below {{writes a buffer that is not a memref.get_global; its words are not known here}}
    aiex.npu.blockwrite(%a) {address = 2215936 : ui32} : memref<6xi32>
  }
}

// -----

aie.device(npu1) {
  memref.global "private" @w : memref<8xi32>
  aie.runtime_sequence @s() {
    %0 = memref.get_global @w : memref<8xi32>
    // expected-error@below {{writes the words of @w, which are not known; give that global of the device an initial value}}
    aiex.npu.blockwrite(%0) {address = 2215936 : ui32} : memref<8xi32>
  }
}

// -----

aie.device(npu1) {
  memref.global "private" @w : memref<2xi32> = uninitialized
  aie.runtime_sequence @s() {
    %0 = memref.get_global @w : memref<2xi32>
    // expected-error@below {{writes the words of @w, which are not known}}
    aiex.npu.blockwrite(%0) {address = 2215936 : ui32} : memref<2xi32>
  }
}

// -----

aie.device(npu1) {
  memref.global "private" constant @v : memref<4xf32> = dense<1.5>
  aie.runtime_sequence @s() {
    %0 = memref.get_global @v : memref<4xf32>
    // expected-error@below {{writes the f32 values of @v; a control packet holds i32 words, so give their bits as i32}}
    aiex.npu.blockwrite(%0) {address = 2215936 : ui32} : memref<4xf32>
  }
}
