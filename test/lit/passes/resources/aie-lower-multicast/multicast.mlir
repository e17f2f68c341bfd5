// RUN: allo-opt %s --aie-lower-multicast | filecheck %s

// CHECK-NOT: aiex
// CHECK: aie.flow(%mem_tile_0_1, DMA : 0, %tile_0_2, DMA : 0)
// CHECK: aie.flow(%mem_tile_0_1, DMA : 0, %tile_0_3, DMA : 1)
// CHECK-NOT: aiex
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  aiex.multicast(%m, DMA : 0) {
    aiex.multi_dest<%a, DMA : 0>
    aiex.multi_dest<%b, DMA : 1>
  }
}
