// RUN: allo-opt %s --split-input-file --aie-trace-to-config --verify-diagnostics

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace @a(%t) {
    // expected-error@+1 {{names event INSTR_VECTORS, which module core of tile (0, 2) does not have; did you mean INSTR_VECTOR}}
    aie.trace.event <"INSTR_VECTORS">
  }
}

// -----

aie.device(npu1_1col) {
  %t = aie.tile(0, 1)
  aie.trace @a(%t) {
    // expected-error@+1 {{selects West 0 as an S2MM (master) port, which the switch of tile (0, 1) does not have}}
    aie.trace.port<0> port = West channel = 0 direction = S2MM
  }
}

// -----

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace @a(%t) {
    aie.trace.packet id = 1 type = mem
    // expected-error@+1 {{selects a stream port, which module mem does not see}}
    aie.trace.port<0> port = DMA channel = 0 direction = S2MM
  }
}

// -----

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace @a(%t) {
    // expected-error@+1 {{is combo event 2, which combines COMBO_EVENT_0 and COMBO_EVENT_1 and no others}}
    aie.trace.combo_event<2> <"INSTR_EVENT_0"> AND <"LOCK_STALL">
  }
}

// -----

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  aie.trace @a(%t) {
    aie.trace.start broadcast = 15
    // expected-error@+1 {{is the second of trace @a, which has room for one}}
    aie.trace.start broadcast = 14
  }
}

// -----

aie.device(npu1_1col) {
  %t = aie.tile(0, 2)
  // expected-error@+1 {{has packets without an id; run aie-insert-trace-flows, which gives them one, or write it}}
  aie.trace @a(%t) {
    aie.trace.packet type=core
  }
}
