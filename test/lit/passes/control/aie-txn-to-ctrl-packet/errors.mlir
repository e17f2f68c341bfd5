// RUN: allo-opt %s --aie-txn-to-ctrl-packet --verify-diagnostics

aie.device(npu2) {
  aie.runtime_sequence @configure(%a: memref<6xi32>) {
    // expected-error@below {{writes a buffer that is no memref.get_global; its words are not known here}}
    aiex.npu.blockwrite(%a) {address = 2215936 : ui32} : memref<6xi32>
  }
}
