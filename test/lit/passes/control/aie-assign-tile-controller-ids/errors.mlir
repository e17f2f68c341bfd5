// RUN: allo-opt %s --aie-assign-tile-controller-ids=column-wise-unique-ids=false --verify-diagnostics

aie.device(npu2) {
  %a = aie.tile(5, 1)
  // expected-error@+1 {{would get controller id 32; packet ids are 0 to 31: use column-wise-unique-ids=true}}
  %b = aie.tile(5, 2)
}
