// RUN: allo-opt %s --aie-place-tiles | filecheck %s

// Cores fill the columns around those that have a place; the memtile and the shims go where their objectFifos lead.

// CHECK-LABEL: aie.device(npu1) @array
// CHECK-DAG: %[[A:.*]] = aie.tile(0, 3)
// CHECK-DAG: %[[B:.*]] = aie.tile(1, 2)
// CHECK-DAG: %[[FIXED:.*]] = aie.tile(0, 2)
// CHECK-DAG: %[[MEM:.*]] = aie.tile(1, 1)
// CHECK-DAG: %[[SHIM:.*]] = aie.tile(1, 0)
// CHECK-NOT: logical_tile
// CHECK: aie.objectfifo @in(%[[SHIM]], {%[[MEM]]}
// CHECK: aie.objectfifo @b(%[[MEM]], {%[[B]]}
// CHECK: aie.objectfifo @out(%[[B]], {%[[SHIM]]}
// CHECK: aie.core(%[[A]])
aie.device(npu1) @array {
  %fixed = aie.tile(0, 2)
  %a = aie.logical_tile<CoreTile>(0, ?)
  %b = aie.logical_tile<CoreTile>(1, ?)
  %mem = aie.logical_tile<MemTile>(?, ?)
  %shim = aie.logical_tile<ShimNOCTile>(?, ?)
  aie.objectfifo @in(%shim, {%mem}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @b(%mem, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo.link [@in] -> [@b]([] [])
  aie.objectfifo @out(%b, {%shim}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  %core = aie.core(%a) {
    aie.end
  }
}

// A shim tile sends two streams; the third begins in the next column. Logical tiles of one place become one tile.

// CHECK-LABEL: aie.device(npu1) @shims
// CHECK: %[[S0:.*]] = aie.tile(0, 0)
// CHECK: %[[S1:.*]] = aie.tile(1, 0)
// CHECK: aie.objectfifo @x(%[[S0]],
// CHECK: aie.objectfifo @y(%[[S0]],
// CHECK: aie.objectfifo @z(%[[S1]],
aie.device(npu1) @shims {
  %s = aie.logical_tile<ShimNOCTile>(?, ?)
  %t = aie.logical_tile<ShimNOCTile>(?, ?)
  %u = aie.logical_tile<ShimNOCTile>(?, ?)
  %m = aie.tile(0, 1)
  aie.objectfifo @x(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @y(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @z(%u, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
}
