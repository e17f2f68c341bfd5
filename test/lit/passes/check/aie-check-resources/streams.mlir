// RUN: allo-opt %s --split-input-file --aie-check-resources --verify-diagnostics

// Two sources for one destination.
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(1, 2)
  %c = aie.tile(2, 2)
  // expected-note@+1 {{the other stream}}
  aie.flow(%a, DMA : 0, %c, DMA : 0)
  // expected-error@+1 {{'aie.flow' op uses port DMA 0 of tile (2,2), which another stream already uses; use another channel, or packet flows for both}}
  aie.flow(%b, DMA : 0, %c, DMA : 0)
}

// -----

// One column: five streams from the cores down to the memtile, and four wires.
// expected-error@+1 {{5 streams must enter the tiles (0,0) to (0,1), and 4 wires cross that border; use packet flows, a broadcast instead of several streams, or place tiles nearer to each other}}
aie.device(npu1_1col) {
  %m = aie.tile(0, 1)
  %c2 = aie.tile(0, 2)
  %c3 = aie.tile(0, 3)
  %c4 = aie.tile(0, 4)
  aie.flow(%c2, DMA : 0, %m, DMA : 0)
  aie.flow(%c2, DMA : 1, %m, DMA : 1)
  aie.flow(%c3, DMA : 0, %m, DMA : 2)
  aie.flow(%c3, DMA : 1, %m, DMA : 3)
  aie.flow(%c4, DMA : 0, %m, DMA : 4)
}

// -----

// The same as packets: one wire is enough.
aie.device(npu1_1col) {
  %m = aie.tile(0, 1)
  %c2 = aie.tile(0, 2)
  %c3 = aie.tile(0, 3)
  %c4 = aie.tile(0, 4)
  aie.flow(%c2, DMA : 0, %m, DMA : 0)
  aie.flow(%c2, DMA : 1, %m, DMA : 1)
  aie.flow(%c3, DMA : 0, %m, DMA : 2)
  aie.packet_flow(0x1) {
    aie.packet_source<%c3, DMA : 1>
    aie.packet_dest<%m, DMA : 3>
  }
  aie.packet_flow(0x2) {
    aie.packet_source<%c4, DMA : 0>
    aie.packet_dest<%m, DMA : 3>
  }
}

// -----

// A port that the switch does not have.
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(1, 2)
  // expected-error@+1 {{core (0,2): port Core 1 does not exist as a source, it has 1 of that bundle}}
  aie.packet_flow(0x1) {
    aie.packet_source<%a, Core : 1>
    aie.packet_dest<%b, DMA : 1>
  }
}
