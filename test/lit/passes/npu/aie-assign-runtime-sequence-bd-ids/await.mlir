// RUN: allo-opt %s --split-input-file --aie-assign-runtime-sequence-bd-ids --verify-diagnostics

aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.runtime_sequence @seq(%a : memref<64xi32>) {
    %x = aiex.dma_configure_task(%s, MM2S, 0) {
      aie.dma_bd(%a : memref<64xi32>)
      aie.end
    } {issue_token = true}
    // expected-error@below {{waits for a token of MM2S 0 of tile (0, 0), for which no token is outstanding}}
    aiex.dma_await_task(%x)
  }
}

// -----

// A task without a token leaves none.
aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.runtime_sequence @seq(%a : memref<64xi32>) {
    %x = aiex.dma_configure_task(%s, MM2S, 0) {
      aie.dma_bd(%a : memref<64xi32>)
      aie.end
    }
    aiex.dma_start_task(%x)
    // expected-error@below {{waits for a token of MM2S 0 of tile (0, 0), for which no token is outstanding}}
    aiex.dma_await_task(%x)
  }
}
