// RUN: allo-opt %s --aie-lower-dma-channel-reset --split-input-file --verify-diagnostics

aie.device(npu2) {
  %t = aie.tile(0, 2)
  aie.objectfifo_rearm_binding @of_rearm channels(%t : index) locks() {channel_dirs = array<i32: 0>, channel_indices = array<i32: 0>, lock_inits = array<i32>}
  aie.runtime_sequence @seq() {
    // expected-error@below {{needs the first BDs of @of_rearm, which have no number yet; run aie-assign-bd-ids first}}
    aiex.dma_channel_reset_for(@of_rearm)
  }
}

// -----

aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.runtime_sequence @seq() {
    // expected-error@below {{only channels of core tiles and memtiles are reset}}
    aiex.dma_channel_reset(%s, S2MM, 0)
  }
}
