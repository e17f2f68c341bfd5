// RUN: allo-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' | filecheck %s --check-prefix=AUGUST
// RUN: allo-opt %s --syntax=2026-03 --air-to-aie='device=npu1 row-offset=2 col-offset=0' | filecheck %s --check-prefix=MARCH
// RUN: allo-opt %s --syntax=2026-03 --air-to-aie='device=npu1 row-offset=2 col-offset=0 logical-tiles=true' | filecheck %s --check-prefix=AUGUST
// RUN: allo-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 logical-tiles=false' | filecheck %s --check-prefix=MARCH

// Who asks for the assembly of August 2026 gets shims and memtiles that aie-place-tiles places.
// AUGUST: %[[SHIM:.*]] = aie.logical_tile<ShimNOCTile>(0, ?)
// AUGUST: %[[MEM:.*]] = aie.logical_tile<MemTile>(0, ?)
// AUGUST: %[[CORE:.*]] = aie.tile(0, 2)
// AUGUST: aie.flow(%[[SHIM]], DMA : 0, %[[MEM]], DMA : 0)
// AUGUST: aie.flow(%[[MEM]], DMA : 0, %[[CORE]], DMA : 0)
// AUGUST: aie.shim_dma_allocation @air_in(%[[SHIM]], MM2S, 0)
// MARCH: aie.tile(0, 1)
// MARCH: aie.tile(0, 2)
// MARCH: aie.tile(0, 0)
// MARCH-NOT: aie.logical_tile
air.channel @in []
air.channel @down []
func.func @f(%a: memref<64xi32>) {
  air.launch () in () args(%x = %a) : memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<64xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<64xi32, 1>)
      air.channel.put @down[] (%m[] [] []) : (memref<64xi32, 1>)
      memref.dealloc %m : memref<64xi32, 1>
      air.herd @herd tile (%i, %j) in (%p = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @down[] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
    }
  }
  return
}
