// RUN: allo-opt %s --aie-expand-load-pdi --verify-diagnostics --split-input-file

aie.device(npu2) {
  aie.runtime_sequence @go(%a : memref<64xi32>) {
    // expected-error@below {{loads @dev, which is not an aie.device of the module}}
    aiex.npu.load_pdi {device_ref = @dev}
  }
}

// -----

aie.device(npu2) {
  aie.runtime_sequence @go(%a : memref<64xi32>) {
    // expected-error@below {{has expand_mode other; it is none, write32 or ctrlpkt}}
    aiex.npu.load_pdi {device_ref = @main, expand_mode = "other"}
  }
}
