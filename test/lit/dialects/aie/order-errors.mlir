// RUN: allo-opt %s --split-input-file --verify-diagnostics

aie.device(npu1) {
  // expected-error@below {{'aie.flow' op operand #0 does not dominate this use}}
  aie.flow(%a, DMA : 0, %b, DMA : 0)
  // expected-note@below {{operand defined here; write it before its uses}}
  %a = aie.tile(0, 0)
  %b = aie.tile(0, 2)
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    // expected-error@below {{'aie.use_lock' op operand #0 does not dominate this use}}
    aie.use_lock(%l, AcquireGreaterEqual, 1)
    aie.end
  }
  // expected-note@below {{operand defined here}}
  %l = aie.lock(%t, 0)
}

// -----

// A module is not ordered.

module {
  %s = aie.switchbox(%t) {
    aie.connect<North : 0, DMA : 0>
  }
  %t = aie.tile(0, 2)
}
