// RUN: allo-opt %s --aie-inline-trace-config --verify-diagnostics

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace @a(%t) {
    aie.trace.event <"INSTR_EVENT_0">
  }
  aie.runtime_sequence @seq(%x: memref<8xi32>) {
    // expected-error@+1 {{starts @a, an aie.trace; run aie-trace-to-config first}}
    aie.trace.start_config @a
  }
}
