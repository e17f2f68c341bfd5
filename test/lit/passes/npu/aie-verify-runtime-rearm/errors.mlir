// RUN: allo-opt %s --split-input-file --aie-verify-runtime-rearm --verify-diagnostics

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
    // expected-error@below {{resets S2MM 0 of tile (0, 2), whose BDs use lock @c, which is not set again}}
    aiex.dma_channel_reset(%t, S2MM, 0)
    aiex.set_lock(%p, 1)
  }
}

// -----

// The locks of a fifo that is lowered are in its binding.
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0) {init = 1 : i32, sym_name = "w_prod_lock_0"}
  aie.objectfifo_rearm_binding @w_rearm channels(%t : index) locks(%l : index) {channel_dirs = array<i32: 0>, channel_indices = array<i32: 0>, lock_inits = array<i32: 1>, head_bd_ids = array<i32: 0>, repeat_counts = array<i32: 0>}
  aie.runtime_sequence() {
    // expected-error@below {{resets S2MM 0 of tile (0, 2), whose BDs use lock @w_prod_lock_0, which is not set again}}
    aiex.dma_channel_reset(%t, S2MM, 0)
  }
}
