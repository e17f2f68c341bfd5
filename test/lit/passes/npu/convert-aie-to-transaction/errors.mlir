// RUN: allo-opt %s --split-input-file --convert-aie-to-transaction --verify-diagnostics

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@below {{configures no register yet; run aie-create-pathfinder-flows first}}
  aie.flow(%t, DMA : 0, %u, DMA : 0)
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) {address = 1024 : i32} : memref<64xi24>
  aie.mem(%t) {
    aie.dma_start(MM2S, 0, ^bd, ^end)
  ^bd:
    // expected-error@below {{has elements of 24 bits, with gaps between them in memory; expected elements of 8, 16 or 32 bits}}
    aie.dma_bd(%b : memref<64xi24> offset = 0 len = 64) {bd_id = 0 : i32}
    aie.next_bd ^end
  ^end:
    aie.end
  }
}

// -----

aie.device(npu2) {
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) {address = 0 : i32} : memref<64xi32>
  aie.memtile_dma(%m) {
    aie.dma_start(S2MM, 0, ^one, ^end)
  ^one:
    aie.dma_bd(%b : memref<64xi32> offset = 0 len = 64) {bd_id = 0 : i32}
    aie.next_bd ^two
  ^two:
    // expected-error@below {{pads what an S2MM channel receives; only MM2S channels send zeros: pad in the BD that sends}}
    aie.dma_bd(%b : memref<64xi32> offset = 0 len = 64 sizes = [8, 6] strides = [6, 1] pad [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 1, const_pad_after = 1>]) {bd_id = 1 : i32}
    aie.next_bd ^one
  ^end:
    aie.end
  }
}
