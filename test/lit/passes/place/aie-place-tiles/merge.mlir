// RUN: allo-opt %s --aie-place-tiles | filecheck %s
// RUN: allo-opt %s --aie-place-tiles=merge-logical-tiles=false | filecheck %s --check-prefix=OWN

// Logical tiles share a tile, or have one each. Core tiles at one place are one tile, if only one of them has a core.

// CHECK: aie.tile(0, 0)
// CHECK: %[[CORE:.*]] = aie.tile(0, 3)
// CHECK-NOT: aie.tile
// CHECK: aie.buffer(%[[CORE]])
// CHECK: aie.core(%[[CORE]])
// OWN-DAG: aie.tile(0, 0)
// OWN-DAG: aie.tile(1, 0)
aie.device(npu1) {
  %a = aie.logical_tile<ShimNOCTile>(?, ?)
  %b = aie.logical_tile<ShimNOCTile>(?, ?)
  %memory = aie.logical_tile<CoreTile>(0, 3)
  %worker = aie.logical_tile<CoreTile>(0, 3)
  %buffer = aie.buffer(%memory) : memref<8xi32>
  %core = aie.core(%worker) {
    aie.end
  }
}
