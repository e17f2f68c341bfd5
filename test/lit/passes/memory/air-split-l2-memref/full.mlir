// RUN: allo-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 tiles-per-memtile=4' | filecheck %s

// Two rows would each have four transfers, as many as a memtile has channels for, and leave nothing to what the cores make: the
// four columns, with two each, come first.

// CHECK:         air.channel @channel_0 [4, 1]
// CHECK-COUNT-4: memref.alloc() : memref<2x2xf32, 1>
// CHECK-NOT:     memref.alloc() : memref<{{.*}}, 1>
module {
  air.channel @in []
  air.channel @out [2, 4]
  func.func @f(%x: memref<2x8xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%y=%x) : memref<2x8xf32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      air.channel.put @in[] (%y[%c0, %c0] [%c2, %c8] [%c8, %c1_0]) : (memref<2x8xf32>)
      air.segment @s {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d3 = arith.constant 3 : index
        %d4 = arith.constant 4 : index
        %d6 = arith.constant 6 : index
        %d8 = arith.constant 8 : index
        %m = memref.alloc() : memref<2x8xf32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<2x8xf32, 1>)
        air.channel.put @out[%d0, %d0] (%m[%d0, %d0] [%d1, %d2] [%d8, %d1]) : (memref<2x8xf32, 1>)
        air.channel.put @out[%d0, %d1] (%m[%d0, %d2] [%d1, %d2] [%d8, %d1]) : (memref<2x8xf32, 1>)
        air.channel.put @out[%d0, %d2] (%m[%d0, %d4] [%d1, %d2] [%d8, %d1]) : (memref<2x8xf32, 1>)
        air.channel.put @out[%d0, %d3] (%m[%d0, %d6] [%d1, %d2] [%d8, %d1]) : (memref<2x8xf32, 1>)
        air.channel.put @out[%d1, %d0] (%m[%d1, %d0] [%d1, %d2] [%d8, %d1]) : (memref<2x8xf32, 1>)
        air.channel.put @out[%d1, %d1] (%m[%d1, %d2] [%d1, %d2] [%d8, %d1]) : (memref<2x8xf32, 1>)
        air.channel.put @out[%d1, %d2] (%m[%d1, %d4] [%d1, %d2] [%d8, %d1]) : (memref<2x8xf32, 1>)
        air.channel.put @out[%d1, %d3] (%m[%d1, %d6] [%d1, %d2] [%d8, %d1]) : (memref<2x8xf32, 1>)
        air.herd @h tile (%tx, %ty) in (%sx=%d2, %sy=%d4) {
          %v = memref.alloc() : memref<2xf32, 2>
          air.channel.get @out[%tx, %ty] (%v[] [] []) : (memref<2xf32, 2>)
        }
      }
    }
    return
  }
}
