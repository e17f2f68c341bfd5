// RUN: allo-opt %s --air-to-aie=device=npu1 | filecheck %s

// A core puts 20 pieces one by one, more than it has BDs for: pieces in a row are one BD. What comes between ends a row, and so does
// another distance.

// CHECK:      aie.mem(
// CHECK:      aie.dma_start(MM2S
// CHECK:      aie.dma_bd(%{{.*}} : memref<160xi32, 2> offset = 0 len = 80)
// CHECK:      aie.dma_bd(%{{.*}} : memref<160xi32, 2> offset = 80 len = 72)
// CHECK:      aie.dma_bd(%{{.*}} : memref<160xi32, 2> offset = 0 len = 8)
// CHECK-NOT:  aie.dma_bd(%{{.*}} offset = 0 len = 8)
// CHECK:      aie.dma_start(S2MM
air.channel @in [1]
air.channel @out [1]
func.func @f(%x: memref<160xi32>, %z: memref<160xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%a = %x, %b = %z) : memref<160xi32>, memref<160xi32> {
    air.channel.put @in[] (%a[] [] []) : (memref<160xi32>)
    air.channel.get @out[] (%b[] [] []) : (memref<160xi32>)
    air.segment @s {
      %c1_1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %zero = arith.constant 0 : i32
        %c159 = arith.constant 159 : index
        %m = memref.alloc() : memref<160xi32, 2>
        air.channel.get @in[] (%m[] [] []) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[0] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[8] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[16] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[24] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[32] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[40] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[48] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[56] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[64] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[72] [8] [1]) : (memref<160xi32, 2>)
        memref.store %zero, %m[%c159] : memref<160xi32, 2>
        air.channel.put @out[] (%m[80] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[88] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[96] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[104] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[112] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[120] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[128] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[136] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[144] [8] [1]) : (memref<160xi32, 2>)
        air.channel.put @out[] (%m[0] [8] [1]) : (memref<160xi32, 2>)
        memref.dealloc %m : memref<160xi32, 2>
      }
    }
  }
  return
}
