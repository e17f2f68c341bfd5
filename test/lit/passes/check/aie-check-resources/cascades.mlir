// RUN: allo-opt %s --aie-check-resources --split-input-file --verify-diagnostics -o /dev/null

aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  %c = aie.tile(1, 3)
  // expected-error@below {{goes from (0, 2) to (0, 3); a cascade goes to the south or the east neighbour}}
  aie.cascade_flow(%a, %b)
  aie.cascade_flow(%b, %c)
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 3)
  %b = aie.tile(0, 2)
  %c = aie.tile(1, 3)
  // expected-note@below {{the first is here}}
  aie.cascade_flow(%a, %b)
  // expected-error@below {{is a second cascade at the output of core (0, 3), which has one}}
  aie.cascade_flow(%a, %c)
}
