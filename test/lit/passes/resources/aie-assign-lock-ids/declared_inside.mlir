// RUN: allo-opt %s --aie-assign-lock-ids | filecheck %s

// Locks declared in a DMA program or a core are locks of their tile as any.

// CHECK: aie.lock(%[[TILE:.*]], 1) {sym_name = "outside"}
// CHECK: aie.memtile_dma
// CHECK: aie.lock(%{{.*}}, 0) {sym_name = "given"}
// CHECK: aie.lock(%{{.*}}, 2) {sym_name = "inside"}
aie.device(npu1) {
  %tile = aie.tile(0, 1)
  %a = aie.lock(%tile) {sym_name = "outside"}
  %dma = aie.memtile_dma(%tile) {
    %b = aie.lock(%tile, 0) {sym_name = "given"}
    %c = aie.lock(%tile) {sym_name = "inside"}
    aie.end
  }
}
