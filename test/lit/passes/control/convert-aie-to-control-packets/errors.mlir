// RUN: allo-opt %s --convert-aie-to-control-packets --verify-diagnostics

aie.device(npu1) {
  %t = aie.tile(0, 2)
  // expected-error@below {{of tile (0, 2) has no number; run aie-assign-lock-ids first}}
  %l = aie.lock(%t) {init = 1 : i32}
}
