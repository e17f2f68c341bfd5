// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1' | filecheck %s

// The neighbour puts its even elements before the odd ones: its copy to the memory that both reach walks its buffer as the put
// says, two rows of eight with a step of two.

// CHECK: aie.core(%tile_0_2)
// CHECK: aie.use_lock({{.*}}, AcquireGreaterEqual, 1)
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %c8
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c8{{.*}} step %c1
// CHECK: %[[MOVED:.*]] = arith.muli %[[J]], %c2
// CHECK: %[[OWN:.*]] = arith.addi %[[I]], %[[MOVED]]
// CHECK: %[[OTHER:.*]] = arith.addi %[[AT]], %[[J]]
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[OWN]]]
// CHECK: memref.store %[[X]], %{{.*}}[%[[OTHER]]]
// CHECK: aie.use_lock({{.*}}, Release, 1)
// CHECK-NOT: aie.flow(%tile_0_2, DMA : {{.}}, %tile_0_3
air.channel @a [1, 1]
air.channel @b [1, 1]
air.channel @pipe [1, 1]
air.channel @out [1, 1]
func.func @f(%x: memref<16xi32>, %y: memref<16xi32>, %z: memref<16xi32>) {
  air.channel.put @a[] (%x[] [] []) : (memref<16xi32>)
  air.channel.put @b[] (%y[] [] []) : (memref<16xi32>)
  air.segment @s {
    %c1_0 = arith.constant 1 : index
    air.herd @first tile (%i, %j) in (%p=%c1_0, %q=%c1_0) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : i32
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %m = memref.alloc() : memref<16xi32, 2>
      linalg.fill ins(%c7 : i32) outs(%m : memref<16xi32, 2>)
      air.channel.put @pipe[] (%m[%c0, %c0] [%c2, %c8] [%c1, %c2]) : (memref<16xi32, 2>)
      memref.dealloc %m : memref<16xi32, 2>
    }
    air.herd @second tile (%i, %j) in (%p=%c1_0, %q=%c1_0) attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
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
