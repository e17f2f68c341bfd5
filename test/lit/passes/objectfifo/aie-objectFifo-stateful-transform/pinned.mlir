// RUN: allo-opt %s --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s

// Pinned channels are taken first, though the FIFOs that ask for them come last; consumers take a quarter of an object each.

// CHECK-DAG: %[[PRODUCED:.*]] = aie.buffer(%mem_tile_0_1) {sym_name = "w_buff_0"} : memref<40xi32>
// CHECK-DAG: %[[TAKEN:.*]] = aie.buffer(%tile_0_2) {sym_name = "w_cons_buff_3"} : memref<10xi32>
// CHECK-DAG: aie.flow(%mem_tile_0_1, DMA : 1, %tile_0_2, DMA : 0)
// CHECK-DAG: aie.flow(%mem_tile_0_1, DMA : 0, %tile_0_2, DMA : 1)
// CHECK: aie.core(%tile_0_2)
// CHECK:   memref.load %{{.*}}[%{{.*}}] : memref<10xi32>
aie.device(npu2) {
  %m = aie.tile(0, 1)
  %c = aie.tile(0, 2)
  aie.objectfifo @free(%m, {%c}, 1 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @w(%m, {%c}, [2, 4]) {prod_dma_channel = 0 : i32, cons_dma_channels = array<i32: 1>} : !aie.objectfifo<memref<40xi32>> -> !aie.objectfifo<memref<10xi32>> = [dense<1> : memref<40xi32>, dense<2> : memref<40xi32>]
  aie.core(%c) {
    %c0 = arith.constant 0 : index
    %s = aie.objectfifo.acquire @w(Consume, 1) : !aie.objectfifosubview<memref<10xi32>>
    %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<10xi32>> -> memref<10xi32>
    %x = memref.load %e[%c0] : memref<10xi32>
    aie.objectfifo.release @w(Consume, 1)
    aie.end
  }
}
