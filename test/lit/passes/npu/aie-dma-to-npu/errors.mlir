// RUN: allo-opt %s --split-input-file --aie-dma-to-npu --verify-diagnostics

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 3)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.runtime_sequence(%a: memref<8xi32>) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<8xi32>
    // expected-error@below {{waits for a token of MM2S channel 0 of tile (0, 0), but no task queued there issues one}}
    aiex.npu.dma_wait {symbol = @in}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence(%a: memref<64xi4>) {
    // expected-error@below {{elements of 4 bits have gaps between them in memory; expected 8, 16 or 32 bits}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi4>
  }
}

// -----

// A channel on which the sequence queues nothing may be waited for: what ran before may issue the token.
aie.device(npu1) {
  %s = aie.tile(1, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 1)
  aie.runtime_sequence() {
    aiex.npu.dma_wait {symbol = @in}
  }
}
