// RUN: allo-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 tiles-per-memtile=2' | filecheck %s
// RUN: allo-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 tiles-per-memtile=2 memtiles=1' | filecheck %s --check-prefix=ONE

// Results leave a buffer for each core, but no more than the memtiles have channels for.

// CHECK:         air.channel @channel_0 [4, 1]
// CHECK-COUNT-4: memref.alloc() : memref<1x8xf32, 1>
// ONE:           air.channel @channel_0 [2, 1]
// ONE-COUNT-2:   memref.alloc() : memref<2x8xf32, 1>
// ONE-NOT:       memref.alloc() : memref<{{.*}}, 1>
module {
  air.channel @in [4, 1]
  air.channel @out []
  func.func @f(%x: memref<4x8xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%y=%x) : memref<4x8xf32> {
      air.channel.get @out[] (%y[] [] []) : (memref<4x8xf32>)
      air.segment @s {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d3 = arith.constant 3 : index
        %d4 = arith.constant 4 : index
        %d8 = arith.constant 8 : index
        %m = memref.alloc() : memref<4x8xf32, 1>
        air.herd @h tile (%tx, %ty) in (%sx=%d4, %sy=%d1) {
          %v = memref.alloc() : memref<8xf32, 2>
          air.channel.put @in[%tx, %ty] (%v[] [] []) : (memref<8xf32, 2>)
        }
        air.channel.get @in[%d0, %d0] (%m[%d0, %d0] [%d1, %d8] [%d8, %d1]) : (memref<4x8xf32, 1>)
        air.channel.get @in[%d1, %d0] (%m[%d1, %d0] [%d1, %d8] [%d8, %d1]) : (memref<4x8xf32, 1>)
        air.channel.get @in[%d2, %d0] (%m[%d2, %d0] [%d1, %d8] [%d8, %d1]) : (memref<4x8xf32, 1>)
        air.channel.get @in[%d3, %d0] (%m[%d3, %d0] [%d1, %d8] [%d8, %d1]) : (memref<4x8xf32, 1>)
        air.channel.put @out[] (%m[] [] []) : (memref<4x8xf32, 1>)
      }
    }
    return
  }
}
