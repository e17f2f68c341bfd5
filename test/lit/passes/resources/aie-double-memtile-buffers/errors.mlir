// RUN: allo-opt %s --aie-double-memtile-buffers --verify-diagnostics

// How much memory a tile has is known only of one that has a place.

aie.device(npu1) {
  %m = aie.logical_tile<MemTile>(?, ?)
  // expected-error@+1 {{is on a tile that is not placed; give its column and row, or run aie-place-tiles first}}
  aie.memtile_dma(%m) {
    aie.end
  }
}
