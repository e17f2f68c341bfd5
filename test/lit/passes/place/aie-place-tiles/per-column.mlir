// RUN: allo-opt %s --aie-place-tiles='cores-per-col=1' | filecheck %s
// RUN: allo-opt %s --aie-place-tiles='cores-per-col=2' | filecheck %s --check-prefix=TWO

// A column takes as many cores as are allowed; those that share memory are then side by side.

// CHECK-DAG: %[[A:.*]] = aie.tile(0, 2)
// CHECK-DAG: %[[B:.*]] = aie.tile(1, 2)
// CHECK-DAG: aie.tile(2, 2)
// CHECK: aie.objectfifo @r(%[[A]], {%[[B]]}
// TWO-DAG: %[[A:.*]] = aie.tile(0, 2)
// TWO-DAG: %[[B:.*]] = aie.tile(0, 3)
// TWO-DAG: aie.tile(1, 2)
aie.device(npu2) {
  %a = aie.logical_tile<CoreTile>(?, ?)
  %x = aie.logical_tile<CoreTile>(?, ?)
  %b = aie.logical_tile<CoreTile>(?, ?)
  aie.objectfifo @p(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @q(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @r(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
}
