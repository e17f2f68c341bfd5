// RUN: allo-opt %s --aie-create-pathfinder-flows | filecheck %s
// RUN: allo-opt %s --aie-create-pathfinder-flows --aie-create-pathfinder-flows | filecheck %s

// Switches stand at the end of the device, the shim's multiplexer after its switch, a tile that was missing before its switch.
// Then come the wires, each once: from the west, from the tile, from the south.
// CHECK: aie.core
// CHECK: %[[S00:.*]] = aie.switchbox(%[[T00:.*]]) {
// CHECK: %[[MUX:.*]] = aie.shim_mux(%[[T00]]) {
// CHECK: %[[T01:.*]] = aie.tile(0, 1)
// CHECK-NEXT: %[[S01:.*]] = aie.switchbox(%[[T01]]) {
// CHECK: %[[S02:.*]] = aie.switchbox(%[[T02:.*]]) {
// CHECK: %[[S12:.*]] = aie.switchbox(%[[T12:.*]]) {
// CHECK: aie.wire(%[[MUX]] : North, %[[S00]] : South)
// CHECK-NEXT: aie.wire(%[[T00]] : DMA, %[[MUX]] : DMA)
// CHECK-NEXT: aie.wire(%[[T01]] : Core, %[[S01]] : Core)
// CHECK-NEXT: aie.wire(%[[T01]] : DMA, %[[S01]] : DMA)
// CHECK-NEXT: aie.wire(%[[S00]] : North, %[[S01]] : South)
// CHECK-NEXT: aie.wire(%[[T02]] : Core, %[[S02]] : Core)
// CHECK-NEXT: aie.wire(%[[T02]] : DMA, %[[S02]] : DMA)
// CHECK-NEXT: aie.wire(%[[S01]] : North, %[[S02]] : South)
// CHECK-NEXT: aie.wire(%[[S02]] : East, %[[S12]] : West)
// CHECK-NEXT: aie.wire(%[[T12]] : Core, %[[S12]] : Core)
// CHECK-NEXT: aie.wire(%[[T12]] : DMA, %[[S12]] : DMA)
// CHECK-NEXT: }
aie.device(npu1) {
  %t00 = aie.tile(0, 0)
  %t02 = aie.tile(0, 2)
  %t12 = aie.tile(1, 2)
  aie.flow(%t00, DMA : 0, %t02, DMA : 0)
  aie.flow(%t02, DMA : 0, %t12, DMA : 0)
  aie.core(%t02) {
    aie.end
  }
}
