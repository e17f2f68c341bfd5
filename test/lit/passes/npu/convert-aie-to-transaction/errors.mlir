// RUN: allo-opt %s --convert-aie-to-transaction --verify-diagnostics

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@below {{configures no register yet; run aie-create-pathfinder-flows first}}
  aie.flow(%t, DMA : 0, %u, DMA : 0)
}
