// RUN: allo-opt %s --aie-verify-runtime-rearm | filecheck %s

// A channel whose locks are set again after the reset passes; one that forgets a lock does not.
// CHECK: aiex.dma_channel_reset
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %p = aie.lock(%t, 0) {init = 1 : i32, sym_name = "p"}
  %c = aie.lock(%t, 1) {init = 0 : i32, sym_name = "c"}
  %b = aie.buffer(%t) {sym_name = "b"} : memref<64xi32>
  aie.mem(%t) {
    %one = arith.constant 1 : i32
    %0 = aie.dma_start(S2MM, 0, ^in, ^end)
  ^in:
    aie.use_lock(%p, AcquireGreaterEqual, %one)
    aie.dma_bd(%b : memref<64xi32>)
    aie.use_lock(%c, Release, %one)
    aie.next_bd ^in
  ^end:
    aie.end
  }
  aie.runtime_sequence @seq() {
    aiex.dma_channel_reset(%t, S2MM, 0)
    aiex.set_lock(%p, 1)
    aiex.set_lock(%c, 0)
    aiex.dma_channel_reset(%t, MM2S, 0)
  }
}
