// RUN: allo-opt %s --aie-localize-locks --verify-diagnostics

aie.device(npu2) {
  %t = aie.logical_tile<CoreTile>(?, ?)
  %l = aie.lock(%t, 0)
  // expected-error@below {{is on a tile that is not placed; give its column and row, or run aie-place-tiles first}}
  aie.core(%t) {
    aie.use_lock(%l, Release, 1)
    aie.end
  }
}
