// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1' | filecheck %s

// The core at (0, 3) gets two streams from memory and one from its neighbour, which is one more than it has S2MM channels: the
// neighbour's goes through memory that both reach, with a pair of locks.

// CHECK-DAG: %[[EMPTY:.*]] = aie.lock(%tile_0_3, 15) {init = 1 : i32}
// CHECK-DAG: %[[FULL:.*]] = aie.lock(%tile_0_3, 14) {init = 0 : i32}
// CHECK: aie.core(%tile_0_3)
// CHECK: aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK: vector.store
// CHECK: aie.use_lock(%[[EMPTY]], Release, 1)
// CHECK: aie.core(%tile_0_2)
// CHECK: aie.use_lock(%[[EMPTY]], AcquireGreaterEqual, 1)
// CHECK: vector.store
// CHECK: aie.use_lock(%[[FULL]], Release, 1)
// CHECK-NOT: aie.flow(%tile_0_2, DMA : {{.}}, %tile_0_3
air.channel @a [1, 1]
air.channel @b [1, 1]
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
    air.herd @second tile (%i, %j) in (%p=%c1, %q=%c1) attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
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
