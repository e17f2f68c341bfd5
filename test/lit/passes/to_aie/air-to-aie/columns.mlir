// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu2 row-offset=2 col-offset=0' | filecheck %s
// RUN: allo-opt %s --air-to-aie='use-lock-race-condition-fix=true device=npu2 row-offset=2 col-offset=0 logical-tiles=true' | filecheck %s --check-prefix=LOGICAL
// RUN: allo-opt %s --air-to-aie='use-lock-race-condition-fix=true device=npu2 row-offset=2 col-offset=0 logical-tiles=true' --aie-place-tiles=merge-logical-tiles=false | filecheck %s

// Columns of shims and memtiles, and channels of tiles, that the program asks for.

// CHECK-LABEL: aie.device(npu2) @seg
// CHECK-DAG: aie.tile(5, 0)
// CHECK-DAG: aie.tile(7, 1)
// CHECK: aie.mem(%tile_0_2)
// CHECK: aie.dma_start(S2MM, 1,
// CHECK-DAG: aie.flow(%{{.*}}5_0, DMA : 0, %{{.*}}7_1, DMA : 0)
// CHECK-DAG: aie.flow(%{{.*}}7_1, DMA : 2, %tile_0_2, DMA : 1)
// CHECK: aie.memtile_dma(%{{.*}}7_1)
// CHECK: aie.dma_start(MM2S, 2,
// CHECK: aie.shim_dma_allocation @air_in(%{{.*}}5_0, MM2S, 0)

// LOGICAL-DAG: %[[SHIM:.*]] = aie.logical_tile<ShimNOCTile>(5, ?)
// LOGICAL-DAG: %[[MEM:.*]] = aie.logical_tile<MemTile>(7, ?)
// LOGICAL-DAG: %[[CORE:.*]] = aie.tile(0, 2)
// LOGICAL: aie.flow(%[[SHIM]], DMA : 0, %[[MEM]], DMA : 0)
// LOGICAL: aie.memtile_dma(%[[MEM]])
// LOGICAL: aie.shim_dma_allocation @air_in(%[[SHIM]], MM2S, 0)
air.channel @in [] {air.shim_col = 5 : i32}
air.channel @down [] {air.memtile_dma_channel_min = 2 : i32, air.tile_dma_channel = 1 : i32}
func.func @f(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      %l2 = memref.alloc() {air.memtile_col = 7 : i32} : memref<64xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<64xi32, 1>)
      air.channel.put @down[] (%l2[] [] []) : (memref<64xi32, 1>)
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l1 = memref.alloc() : memref<64xi32, 2>
        air.channel.get @down[] (%l1[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
