// RUN: allo-opt %s --split-input-file --aie-check-resources | filecheck %s

// Buffers and stack fill the memory to the last byte.
// CHECK: aie.buffer
aie.device(npu1) {
  %t = aie.tile(1, 3)
  %b = aie.buffer(%t) : memref<16128xi32>
  %c = aie.core(%t) {
    aie.end
  }
}

// -----

// The largest wraps of a memtile and of a core, and what is contiguous and so needs none.
// CHECK: aie.memtile_dma
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) : memref<2048x64xi32>
  %d = aie.memtile_dma(%m) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<2048x64xi32>, 0, 16384, [<size = 512, stride = 128>, <size = 32, stride = 1>])
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }
}

// -----

// Four streams to the east from one core, each on a wire of its own, and a broadcast.
// CHECK: aie.flow
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(1, 2)
  %c = aie.tile(2, 2)
  %s = aie.tile(0, 0)
  aie.flow(%a, DMA : 0, %b, DMA : 0)
  aie.flow(%a, DMA : 0, %c, DMA : 0)
  aie.flow(%a, DMA : 1, %b, DMA : 1)
  aie.flow(%a, Core : 0, %c, Core : 0)
  aie.flow(%s, DMA : 0, %c, DMA : 1)
}
