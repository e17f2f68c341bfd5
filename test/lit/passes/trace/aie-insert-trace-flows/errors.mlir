// RUN: allo-opt %s --split-input-file --aie-insert-trace-flows=shim-channel=1 --verify-diagnostics

aie.device(npu1_1col) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  aie.flow(%t, DMA : 1, %s, DMA : 1)
  aie.flow(%t, DMA : 0, %s, DMA : 0)
  // expected-error@+1 {{has nowhere to go: no shim has a free S2MM channel}}
  aie.trace @core_trace(%t) {
    aie.trace.event <"INSTR_EVENT_0">
  }
}

// -----

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace @core_trace(%t) {
    // expected-error@+1 {{has type memtile; tile (0, 2) has core and mem}}
    aie.trace.packet id = 1 type = memtile
  }
}
