// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1' | filecheck %s

// A memtile sends zeros around what it reads; dimensions of one element without padding go.

// CHECK: aie.memtile_dma
// CHECK: aie.dma_bd(%{{.*}} : memref<4x8xi32, 1>, 0, 60, [<size = 4, stride = 8>, <size = 8, stride = 1>], [<const_pad_before = 0, const_pad_after = 2>, <const_pad_before = 1, const_pad_after = 1>])
air.channel @in []
air.channel @down []
func.func @f(%a: memref<4x8xi32>) {
  air.launch () in () args(%x=%a) : memref<4x8xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<4x8xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %m = memref.alloc() : memref<4x8xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<4x8xi32, 1>)
      air.channel.put @down[] (%m[%c0, %c0, %c0] [%c1, %c4, %c8] [%c1, %c8, %c1]) {pad_before = array<i32: 0, 0, 1>, pad_after = array<i32: 0, 2, 1>} : (memref<4x8xi32, 1>)
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l = memref.alloc() : memref<60xi32, 2>
        air.channel.get @down[] (%l[] [] []) : (memref<60xi32, 2>)
        memref.dealloc %l : memref<60xi32, 2>
      }
      memref.dealloc %m : memref<4x8xi32, 1>
    }
  }
  return
}
