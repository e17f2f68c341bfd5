// RUN: allo-opt %s --split-input-file --aie-check-resources --verify-diagnostics

// Seventeen locks where a core tile has sixteen, and one id twice.
aie.device(npu1) {
  // expected-error@+1 {{'aie.tile' op core (0,2): 17 locks exceed the 16 that it has}}
  %t = aie.tile(0, 2)
  // expected-note@+1 {{first here}}
  %l0 = aie.lock(%t, 0)
  // expected-error@+1 {{core (0,2): lock 0 is given twice; give each its own id}}
  %l1 = aie.lock(%t, 0)
  %l2 = aie.lock(%t)
  %l3 = aie.lock(%t) {init = 63 : i32}
  %l4 = aie.lock(%t)
  %l5 = aie.lock(%t)
  %l6 = aie.lock(%t)
  %l7 = aie.lock(%t)
  %l8 = aie.lock(%t)
  %l9 = aie.lock(%t)
  %l10 = aie.lock(%t)
  %l11 = aie.lock(%t)
  %l12 = aie.lock(%t)
  %l13 = aie.lock(%t)
  %l14 = aie.lock(%t)
  %l15 = aie.lock(%t)
  %l16 = aie.lock(%t)
}

// -----

// A channel that is started twice, and a BD of the other channels' half.
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) : memref<64xi32>
  %d = aie.memtile_dma(%m) {
    // expected-note@+1 {{first here}}
    %0 = aie.dma_start(MM2S, 1, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{memtile (0,1): BD 3 is not one of 24 to 47, which odd channels use}}
    aie.dma_bd(%b : memref<64xi32>, 0, 64) {bd_id = 3 : i32}
    aie.next_bd ^bb1
  ^bb2:
    // expected-error@+1 {{memtile (0,1): DMA channel MM2S 1 is started twice; chain its BDs, or use another channel}}
    %1 = aie.dma_start(MM2S, 1, ^bb3, ^bb4)
  ^bb3:
    aie.dma_bd(%b : memref<64xi32>, 0, 64)
    aie.next_bd ^bb3
  ^bb4:
    aie.end
  }
}

// -----

// Fields that are too narrow: wrap and step of a core's BD.
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<512x24xi32>
  %d = aie.mem(%t) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+1 {{'aie.dma_bd' op core (0,2): dimension 1 (innermost is 0) is 256, its 8-bit wrap holds 255; split the dimension in two}}
    aie.dma_bd(%b : memref<512x24xi32>, 0, 2048, [<size = 256, stride = 24>, <size = 8, stride = 1>])
    aie.next_bd ^bb1
  ^bb2:
    // expected-error@+1 {{core (0,2): repeat_count 256 exceeds 255 (8 bits)}}
    %1 = aie.dma_start(MM2S, 1, ^bb3, ^bb4, repeat_count = 256)
  ^bb3:
    // expected-error@+1 {{core (0,2): dimension 1 (innermost is 0) steps 8,193 words, its 13-bit step holds 8,192; split the transfer along that dimension}}
    aie.dma_bd(%b : memref<512x24xi32>, 0, 16, [<size = 2, stride = 8193>, <size = 8, stride = 1>])
    aie.next_bd ^bb3
  ^bb4:
    aie.end
  }
}

// -----

// Bytes that are not words, and padding of a channel that receives.
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) : memref<64x64xi8>
  %d = aie.memtile_dma(%m) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    // expected-error@+2 {{memtile (0,1): begins 2 bytes into its buffer; a DMA moves 4-byte words: use an offset of whole words}}
    // expected-error@+1 {{memtile (0,1): dimension 0 (the innermost) is 6 bytes; a DMA moves 4-byte words: make it whole words}}
    aie.dma_bd(%b : memref<64x64xi8>, 2, 24, [<size = 4, stride = 64>, <size = 6, stride = 1>])
    aie.next_bd ^bb1
  ^bb2:
    %1 = aie.dma_start(S2MM, 0, ^bb3, ^bb4)
  ^bb3:
    // expected-error@+1 {{memtile (0,1): pads on an S2MM channel; a memtile pads on MM2S only}}
    aie.dma_bd(%b : memref<64x64xi8>, 0, 64, [<size = 4, stride = 64>, <size = 8, stride = 1>], [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 4, const_pad_after = 4>])
    aie.next_bd ^bb3
  ^bb4:
    aie.end
  }
}
