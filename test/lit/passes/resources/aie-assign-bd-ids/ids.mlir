// RUN: allo-opt --syntax=2026-03 %s --aie-assign-bd-ids | filecheck %s

// A memtile's odd channels begin at 24; a number given by hand is left out; the last BD of a chain that ends has no next.

// CHECK: aie.dma_bd(%{{.*}}, 0, 4) {bd_id = 0 : i32, next_bd_id = 1 : i32}
// CHECK: aie.dma_bd(%{{.*}}, 4, 4) {bd_id = 1 : i32, next_bd_id = 0 : i32}
// CHECK: aie.dma_bd(%{{.*}}, 0, 8) {bd_id = 24 : i32, next_bd_id = 25 : i32}
// CHECK: aie.dma_bd(%{{.*}}, 0, 2) {bd_id = 25 : i32}
// CHECK: aie.dma_bd(%{{.*}}, 0, 6) {bd_id = 26 : i32, next_bd_id = 26 : i32}
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) : memref<8xi32>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
  ^bb1:
    aie.dma_bd(%b : memref<8xi32>, 0, 4)
    aie.next_bd ^bb2
  ^bb2:
    aie.dma_bd(%b : memref<8xi32>, 4, 4)
    aie.next_bd ^bb1
  ^bb3:
    %1 = aie.dma_start(MM2S, 1, ^bb4, ^bb6)
  ^bb4:
    aie.dma_bd(%b : memref<8xi32>, 0, 8)
    aie.next_bd ^bb5
  ^bb5:
    aie.dma_bd(%b : memref<8xi32>, 0, 2) {bd_id = 25 : i32}
    aie.next_bd ^bb8
  ^bb6:
    %2 = aie.dma_start(MM2S, 3, ^bb7, ^bb8)
  ^bb7:
    aie.dma_bd(%b : memref<8xi32>, 0, 6)
    aie.next_bd ^bb7
  ^bb8:
    aie.end
  }
}
