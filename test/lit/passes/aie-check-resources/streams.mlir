// RUN: allo-opt %s --split-input-file --aie-check-resources --verify-diagnostics

// Two sources for one destination.
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(1, 2)
  %c = aie.tile(2, 2)
  // expected-note@+1 {{the other stream}}
  aie.flow(%a, DMA : 0, %c, DMA : 0)
  // expected-error@+1 {{'aie.flow' op wants port DMA 0 of tile (2,2), which another stream has; use another channel, or packet flows for both}}
  aie.flow(%b, DMA : 0, %c, DMA : 0)
}

// -----

// Five streams down out of one column's memtile to the shim, which four wires carry; memtiles have no east or west.
aie.device(npu1) {
  %s0 = aie.tile(0, 0)
  %s1 = aie.tile(1, 0)
  %s2 = aie.tile(2, 0)
  // expected-error@+1 {{'aie.tile' op 5 streams must leave the tiles (0,1) to (0,5), and}}
  %m = aie.tile(0, 1)
  aie.flow(%m, DMA : 0, %s0, DMA : 0)
  aie.flow(%m, DMA : 1, %s0, DMA : 1)
  aie.flow(%m, DMA : 2, %s1, DMA : 0)
  aie.flow(%m, DMA : 3, %s1, DMA : 1)
  aie.flow(%m, DMA : 4, %s2, DMA : 0)
}
