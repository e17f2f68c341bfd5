// RUN: allo-opt %s --aie-create-pathfinder-flows | filecheck %s

// A stream through the shim's multiplexer, and a broadcast that parts in the core's switch.
// CHECK: aie.switchbox(%shim_noc_tile_0_0) {
// CHECK-NEXT: aie.connect<South : 3, North : 3>
// CHECK: aie.shim_mux(%shim_noc_tile_0_0) {
// CHECK-NEXT: aie.connect<DMA : 0, North : 3>
// CHECK-NOT: aie.flow
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  aie.flow(%s, DMA : 0, %m, DMA : 0)
  aie.flow(%m, DMA : 1, %a, DMA : 0)
  aie.flow(%m, DMA : 1, %b, DMA : 0)
}
