// RUN: allo-opt %s --aie-lower-core-reset --verify-diagnostics

aie.device(npu2) {
  %m = aie.tile(0, 1)
  aie.runtime_sequence @seq() {
    // expected-error@below {{resets the core of a mem tile, which has none}}
    aiex.core_reset(%m)
  }
}
