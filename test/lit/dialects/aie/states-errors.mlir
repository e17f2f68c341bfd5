// RUN: not allo-opt --syntax=2026-03 %s 2>&1 | filecheck %s --check-prefix=MARCH
// RUN: not allo-opt --syntax=2026 %s 2>&1 | filecheck %s --check-prefix=STATE
// RUN: echo 'aie.device(npu2) { %one = aie.tile(0, 2) %b = aie.buffer(%one) : memref<8xi32> aie.mem(%one) { aie.dma_bd(%b : memref<8xi32>; 8) aie.end } }' | not allo-opt 2>&1 | filecheck %s --check-prefix=SPELLING

// What the state cannot say is an error, and so is a spelling of neither state.

aie.device(npu2) {
  aie.runtime_sequence @seq(%n: i32) {
    aiex.npu.write32(%n, %n) : i32, i32
  }
}
// MARCH: error: 'aiex.npu.write32' has a value for 'address', which the syntax of 2026-03 cannot say; print 2026-08 instead
// STATE: error: there is no syntax '2026'; did you mean '2026-08' or '2026-03'?; there are: 2026-03, 2026-08
// SPELLING: 1:{{[0-9]+}}: error: expected ')', found '; 8) aie.end } }' (read in the spelling of 2026-08; 2026-03 and 2026-08 are read)
