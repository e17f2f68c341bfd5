// RUN: allo-opt %s --aie-lower-cascade-flows --verify-diagnostics

aie.device(npu1) {
  %a = aie.tile(0, 3)
  %b = aie.tile(1, 3)
  %c = aie.tile(1, 4)
  aie.cascade_flow(%a, %b)
  // expected-error@below {{is a second cascade at the input of core (1, 3), which has one}}
  aie.cascade_flow(%c, %b)
}
