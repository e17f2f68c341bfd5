// RUN: allo-opt %s --aie-place-tiles | filecheck %s
// RUN: allo-opt %s --aie-place-tiles='placer=sa_placer sa-seed=7' | filecheck %s --check-prefix=SA

// Two cores exchange over more objectFifos than a core has channels: they are neighbours, and the core in between goes elsewhere.

// CHECK-LABEL: aie.device(npu2) @near
// CHECK-DAG: %[[A:.*]] = aie.tile(0, 2)
// CHECK-DAG: %[[B:.*]] = aie.tile(0, 3)
// CHECK-DAG: aie.tile(0, 4)
// CHECK: aie.objectfifo @r(%[[A]], {%[[B]]}
aie.device(npu2) @near {
  %a = aie.logical_tile<CoreTile>(?, ?)
  %x = aie.logical_tile<CoreTile>(?, ?)
  %b = aie.logical_tile<CoreTile>(?, ?)
  aie.objectfifo @p(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @q(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @r(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
}

// A cascade comes from the north or the west, and a buffer of another tile is in reach.

// CHECK-LABEL: aie.device(npu2) @neighbours
// CHECK-DAG: %[[S:.*]] = aie.tile(0, 2)
// CHECK-DAG: %[[D:.*]] = aie.tile(1, 2)
// CHECK-DAG: %[[N:.*]] = aie.tile(1, 3)
// CHECK-DAG: %[[O:.*]] = aie.tile(1, 4)
// CHECK: aie.buffer(%[[N]])
// CHECK: aie.cascade_flow(%[[S]], %[[D]])
aie.device(npu2) @neighbours {
  %s = aie.logical_tile<CoreTile>(0, 2)
  %d = aie.logical_tile<CoreTile>(?, ?)
  %n = aie.logical_tile<CoreTile>(1, 3)
  %o = aie.logical_tile<CoreTile>(1, ?)
  %m = aie.buffer(%n) : memref<16xi32>
  aie.cascade_flow(%s, %d)
  aie.core(%o) {
    %c0 = arith.constant 0 : index
    %v = memref.load %m[%c0] : memref<16xi32>
    aie.end
  }
}

// Memtiles and shims go where flows lead, also those of packets; of two that name one channel each has a tile of its own.

// CHECK-LABEL: aie.device(npu2) @flows
// CHECK-DAG: %[[C:.*]] = aie.tile(5, 2)
// CHECK-DAG: %[[A:.*]] = aie.tile(5, 0)
// CHECK-DAG: %[[B:.*]] = aie.tile(4, 0)
// CHECK: aie.flow(%[[A]], DMA : 0, %[[C]], DMA : 0)
// CHECK: aie.packet_source<%[[B]], DMA : 0>
aie.device(npu2) @flows {
  %c = aie.logical_tile<CoreTile>(5, ?)
  %a = aie.logical_tile<ShimNOCTile>(?, ?)
  %b = aie.logical_tile<ShimNOCTile>(?, ?)
  aie.flow(%a, DMA : 0, %c, DMA : 0)
  aie.packet_flow(1) {
    aie.packet_source<%b, DMA : 0>
    aie.packet_dest<%c, DMA : 1>
  }
}

// What a core has no room for goes to the neighbour (simulated annealing).

// SA-LABEL: aie.device(npu2) @large
// SA-DAG: %[[A:.*]] = aie.tile(0, 2)
// SA-DAG: %[[B:.*]] = aie.tile(0, 3)
// SA: aie.objectfifo @p(%[[A]], {%[[B]]}
// SA-NEXT: aie.objectfifo.allocate @p(%[[B]])
aie.device(npu2) @large {
  %a = aie.logical_tile<CoreTile>(0, 2)
  %b = aie.logical_tile<CoreTile>(0, 3)
  %m = aie.buffer(%a) : memref<8192xi32>
  aie.objectfifo @p(%a, {%b}, 3 : i32) : !aie.objectfifo<memref<4096xi32>>
}
