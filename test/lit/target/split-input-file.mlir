// RUN: allo-translate -aie-npu-to-binary -aie-output-binary=false --split-input-file --verify-diagnostics %s | filecheck %s

// One dash will do, text instead of binary, one module after another, and errors where they are expected: as in aie-translate.
// CHECK: 00000106
aie.device(npu1) {
  aie.runtime_sequence() {
    aiex.npu.preempt {level = 1 : ui8}
  }
}

// -----

// CHECK: 00000206
aie.device(npu1) {
  aie.runtime_sequence() {
    aiex.npu.preempt {level = 2 : ui8}
  }
}

// -----

aie.device(npu1) {
  aie.runtime_sequence() {
    // expected-error@below {{couldn't find symbol in parent device: 'missing'}}
    aiex.npu.dma_wait {symbol = @missing}
  }
}
