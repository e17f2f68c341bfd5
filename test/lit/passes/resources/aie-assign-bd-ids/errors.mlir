// RUN: allo-opt %s --aie-assign-bd-ids --verify-diagnostics

aie.device(npu1) {
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) : memref<8xi32>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 1, ^bb1, ^bb2)
  ^bb1:
    // expected-error@below {{has BD id 0; channel 1 of tile (0, 1) has 24 to 47}}
    aie.dma_bd(%b : memref<8xi32>, 0, 4) {bd_id = 0 : i32}
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }
}
