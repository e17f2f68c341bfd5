// RUN: allo-opt %s --air-to-aie=device=npu1 | filecheck %s

// A memtile puts 25 pieces one by one, more than it has BDs for: pieces in a row are one BD, also where others are put in between.

// CHECK:      aie.memtile_dma
// CHECK:      aie.dma_start(MM2S
// CHECK:      aie.dma_bd(%{{.*}} : memref<240xi32, 1> offset = 0 len = 200)
// CHECK-NOT:  aie.dma_bd(
// CHECK:      aie.dma_start(MM2S
// CHECK:      aie.dma_bd(%{{.*}} : memref<240xi32, 1> offset = 200 len = 40)
air.channel @in [1]
air.channel @mid [1]
air.channel @side [1]
air.channel @out [1]
func.func @f(%x: memref<240xi32>, %z: memref<240xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%a = %x, %b = %z) : memref<240xi32>, memref<240xi32> {
    air.channel.put @in[] (%a[] [] []) : (memref<240xi32>)
    air.channel.get @out[] (%b[] [] []) : (memref<240xi32>)
    air.segment @s {
      %c1_1 = arith.constant 1 : index
      %m = memref.alloc() : memref<240xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[0] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[8] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[16] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[24] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[32] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[40] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[48] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[56] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[64] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[72] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[80] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[88] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @side[] (%m[200] [40] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[96] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[104] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[112] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[120] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[128] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[136] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[144] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[152] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[160] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[168] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[176] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[184] [8] [1]) : (memref<240xi32, 1>)
      air.channel.put @mid[] (%m[192] [8] [1]) : (memref<240xi32, 1>)
      air.herd @h tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %u = memref.alloc() : memref<200xi32, 2>
        %v = memref.alloc() : memref<40xi32, 2>
        air.channel.get @mid[] (%u[] [] []) : (memref<200xi32, 2>)
        air.channel.get @side[] (%v[] [] []) : (memref<40xi32, 2>)
        air.channel.put @out[] (%u[] [] []) : (memref<200xi32, 2>)
        air.channel.put @out[] (%v[] [] []) : (memref<40xi32, 2>)
        memref.dealloc %u : memref<200xi32, 2>
        memref.dealloc %v : memref<40xi32, 2>
      }
      memref.dealloc %m : memref<240xi32, 1>
    }
  }
  return
}
