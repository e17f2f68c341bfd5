// RUN: allo-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 max-launch-channels-mm2s=2' | filecheck %s

// Each of two launches puts into two channels: the bound is that of a launch, not of all of them.

// CHECK-COUNT-4: memref.alloc() : memref<4xf32, 1>
// CHECK-NOT: memref.alloc() : memref<8xf32, 1>
air.channel @in0 []
air.channel @out0 [2]
air.channel @in1 []
air.channel @out1 [2]
func.func @f(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%y=%x) : memref<8xf32> {
    air.channel.put @in0[] (%y[] [] []) : (memref<8xf32>)
    air.segment @s0 {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %d4 = arith.constant 4 : index
      %m = memref.alloc() : memref<8xf32, 1>
      air.channel.get @in0[] (%m[] [] []) : (memref<8xf32, 1>)
      air.channel.put @out0[%d0] (%m[%d0] [%d4] [%d1]) : (memref<8xf32, 1>)
      air.channel.put @out0[%d1] (%m[%d4] [%d4] [%d1]) : (memref<8xf32, 1>)
      air.herd @h0 tile (%tx, %ty) in (%sx=%d2, %sy=%d1) {
        %v = memref.alloc() : memref<4xf32, 2>
        air.channel.get @out0[%tx] (%v[] [] []) : (memref<4xf32, 2>)
      }
    }
  }
  air.launch (%i) in (%n=%c1) args(%y=%x) : memref<8xf32> {
    air.channel.put @in1[] (%y[] [] []) : (memref<8xf32>)
    air.segment @s1 {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %d4 = arith.constant 4 : index
      %m = memref.alloc() : memref<8xf32, 1>
      air.channel.get @in1[] (%m[] [] []) : (memref<8xf32, 1>)
      air.channel.put @out1[%d0] (%m[%d0] [%d4] [%d1]) : (memref<8xf32, 1>)
      air.channel.put @out1[%d1] (%m[%d4] [%d4] [%d1]) : (memref<8xf32, 1>)
      air.herd @h1 tile (%tx, %ty) in (%sx=%d2, %sy=%d1) {
        %v = memref.alloc() : memref<4xf32, 2>
        air.channel.get @out1[%tx] (%v[] [] []) : (memref<4xf32, 2>)
      }
    }
  }
  return
}
