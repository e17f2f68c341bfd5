// RUN: allo-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 max-launch-channels-mm2s=1' --verify-diagnostics
// RUN: allo-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 max-launch-channels-mm2s=1' 2> %t.log | filecheck %s
// RUN: allo-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 max-launch-channels-mm2s=2' | filecheck %s --check-prefix=TWO

// The launches put into one channel, of which there would be two.

// CHECK: memref.alloc() : memref<8xf32, 1>
// TWO: air.channel @channel_0 [2, 1]
// TWO-COUNT-2: memref.alloc() : memref<4xf32, 1>
air.channel @in []
air.channel @out [2]
func.func @f(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%y=%x) : memref<8xf32> {
    air.channel.put @in[] (%y[] [] []) : (memref<8xf32>)
    air.segment @s {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %d4 = arith.constant 4 : index
      // expected-remark@+1 {{skipping split (factor=2) on L2 alloc via channel @in to avoid pushing launch MM2S endpoint count from 1 to 2 (cap=1)}}
      %m = memref.alloc() : memref<8xf32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<8xf32, 1>)
      air.channel.put @out[%d0] (%m[%d0] [%d4] [%d1]) : (memref<8xf32, 1>)
      air.channel.put @out[%d1] (%m[%d4] [%d4] [%d1]) : (memref<8xf32, 1>)
      air.herd @h tile (%tx, %ty) in (%sx=%d2, %sy=%d1) {
        %v = memref.alloc() : memref<4xf32, 2>
        air.channel.get @out[%tx] (%v[] [] []) : (memref<4xf32, 2>)
      }
    }
  }
  return
}
