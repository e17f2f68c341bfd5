// RUN: allo-opt %s --aie-find-flows --verify-diagnostics

// expected-error@below {{leads to South : 0 of tile (0, 3), which has no switchbox}}
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %s = aie.switchbox(%a) {
    aie.connect<DMA : 0, North : 0>
  }
}
