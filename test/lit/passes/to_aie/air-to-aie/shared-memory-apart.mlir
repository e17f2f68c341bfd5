// RUN: not allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1' 2>&1 | filecheck %s

// CHECK: core (2, 3) needs 3 S2MM DMA channels and has 2
// Cores that are not neighbours have DMA channels only.

air.channel @a [1, 1] {air.dedicated_dma_channel}
air.channel @b [1, 1] {air.dedicated_dma_channel}
air.channel @pipe [1, 1]
air.channel @out [1, 1]
func.func @f(%x: memref<16xi32>, %y: memref<16xi32>, %z: memref<16xi32>) {
  air.channel.put @a[] (%x[] [] []) : (memref<16xi32>)
  air.channel.put @b[] (%y[] [] []) : (memref<16xi32>)
  air.segment @s {
    %c1 = arith.constant 1 : index
    air.herd @first tile (%i, %j) in (%p=%c1, %q=%c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %c7 = arith.constant 7 : i32
      %m = memref.alloc() : memref<16xi32, 2>
      linalg.fill ins(%c7 : i32) outs(%m : memref<16xi32, 2>)
      air.channel.put @pipe[] (%m[] [] []) : (memref<16xi32, 2>)
      memref.dealloc %m : memref<16xi32, 2>
    }
    air.herd @second tile (%i, %j) in (%p=%c1, %q=%c1) attributes {x_loc = 2 : i64, y_loc = 3 : i64} {
      %u = memref.alloc() : memref<16xi32, 2>
      %v = memref.alloc() : memref<16xi32, 2>
      %w = memref.alloc() : memref<16xi32, 2>
      air.channel.get @a[] (%u[] [] []) : (memref<16xi32, 2>)
      air.channel.get @b[] (%v[] [] []) : (memref<16xi32, 2>)
      air.channel.get @pipe[] (%w[] [] []) : (memref<16xi32, 2>)
      linalg.add ins(%u, %v : memref<16xi32, 2>, memref<16xi32, 2>) outs(%w : memref<16xi32, 2>)
      air.channel.put @out[] (%w[] [] []) : (memref<16xi32, 2>)
      memref.dealloc %u : memref<16xi32, 2>
      memref.dealloc %v : memref<16xi32, 2>
      memref.dealloc %w : memref<16xi32, 2>
    }
  }
  air.channel.get @out[] (%z[] [] []) : (memref<16xi32>)
  return
}
