// RUN: allo-opt %s --aie-create-pathfinder-flows --verify-diagnostics

// A core's switch has four ways to the south.
aie.device(npu1_1col) {
  %m = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  %c = aie.tile(0, 4)
  aie.flow(%a, DMA : 0, %m, DMA : 0)
  aie.flow(%a, DMA : 1, %m, DMA : 1)
  aie.flow(%b, DMA : 0, %m, DMA : 2)
  aie.flow(%b, DMA : 1, %m, DMA : 3)
  // expected-error@below {{cannot be routed: the switch of tile (0, 2) is full}}
  aie.flow(%c, DMA : 0, %m, DMA : 4)
}
