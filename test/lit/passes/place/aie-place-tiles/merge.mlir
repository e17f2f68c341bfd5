// RUN: allo-opt %s --aie-place-tiles | filecheck %s
// RUN: allo-opt %s --aie-place-tiles=merge-logical-tiles=false | filecheck %s --check-prefix=OWN

// Logical tiles share a tile, or have one each.

// CHECK: aie.tile(0, 0)
// CHECK-NOT: aie.tile
// OWN-DAG: aie.tile(0, 0)
// OWN-DAG: aie.tile(1, 0)
aie.device(npu1) {
  %a = aie.logical_tile<ShimNOCTile>(?, ?)
  %b = aie.logical_tile<ShimNOCTile>(?, ?)
}
