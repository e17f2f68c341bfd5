// RUN: allo-opt %s --aie-create-pathfinder-flows --aie-find-flows | filecheck %s

// CHECK-DAG: aie.flow(%shim_noc_tile_0_0, DMA : 1, %mem_tile_0_1, DMA : 0)
// CHECK: aie.packet_flow(7) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%shim_noc_tile_0_0, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%mem_tile_0_1, DMA : 3>
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  aie.flow(%s, DMA : 1, %m, DMA : 0)
  aie.packet_flow(7) {
    aie.packet_source<%a, DMA : 0>
    aie.packet_dest<%m, DMA : 3>
    aie.packet_dest<%s, DMA : 0>
  }
}
