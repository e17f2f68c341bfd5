// RUN: allo-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 max-launch-channels-mm2s=8' | filecheck %s

// What four columns read comes to two pairs of memtiles where the plan says so (air-split-l2-pieces).

// CHECK:         air.channel @channel_0 [2, 1]
// CHECK-COUNT-2: memref.alloc() : memref<8x32xf32, 1>
// CHECK-NOT:     memref.alloc() : memref<{{.*}}, 1>
module {
  air.channel @in []
  air.channel @own [4, 1]
  func.func @f(%x: memref<8x64xf32>) attributes {allo.plan = {family = "matmul", routes = [{operand = "b", memtiles = 2 : i64, channels = 4 : i64}], spread = 4 : i64, cores = array<i64: 1, 4>}} {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%y=%x) : memref<8x64xf32> {
      air.channel.put @in[] (%y[] [] []) : (memref<8x64xf32>)
      air.segment @s {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d3 = arith.constant 3 : index
        %d4 = arith.constant 4 : index
        %d8 = arith.constant 8 : index
        %d16 = arith.constant 16 : index
        %d32 = arith.constant 32 : index
        %d48 = arith.constant 48 : index
        %d64 = arith.constant 64 : index
        %m = memref.alloc() : memref<8x64xf32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<8x64xf32, 1>)
        air.channel.put @own[%d0, %d0] (%m[%d0, %d0] [%d8, %d16] [%d64, %d1]) : (memref<8x64xf32, 1>)
        air.channel.put @own[%d1, %d0] (%m[%d0, %d16] [%d8, %d16] [%d64, %d1]) : (memref<8x64xf32, 1>)
        air.channel.put @own[%d2, %d0] (%m[%d0, %d32] [%d8, %d16] [%d64, %d1]) : (memref<8x64xf32, 1>)
        air.channel.put @own[%d3, %d0] (%m[%d0, %d48] [%d8, %d16] [%d64, %d1]) : (memref<8x64xf32, 1>)
        air.herd @h tile (%tx, %ty) in (%sx=%d4, %sy=%d1) {
          %v = memref.alloc() : memref<8x16xf32, 2>
          air.channel.get @own[%tx, %ty] (%v[] [] []) : (memref<8x16xf32, 2>)
        }
      }
    }
    return
  }
}
