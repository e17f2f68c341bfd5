// Three herds of 4 x 1, a cascade from the second to the third; one above the other they have room.
air.channel @mid [4, 1]
air.channel @casc [4, 1] {channel_type = "cascade"}
func.func @f(%a: memref<4x64xi32>, %b: memref<4x64xi32>) {
  %l1 = arith.constant 1 : index
  air.launch (%l) in (%n=%l1) args(%x=%a, %y=%b) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment @s args(%u=%x, %v=%y) : memref<4x64xi32>, memref<4x64xi32> {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      air.herd @first tile (%i, %j) in (%p=%c4, %q=%c1) args(%src=%u) : memref<4x64xi32> {
        %c0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %m = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %src[%i, %c0] [%k1, %c64] [%c64, %k1]) : (memref<64xi32, 2>, memref<4x64xi32>)
        air.channel.put @mid[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
      air.herd @second tile (%i, %j) in (%p=%c4, %q=%c1) {
        %m = memref.alloc() : memref<64xi32, 2>
        air.channel.get @mid[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        air.channel.put @casc[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
      air.herd @third tile (%i, %j) in (%p=%c4, %q=%c1) args(%dst=%v) : memref<4x64xi32> {
        %c0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %m = memref.alloc() : memref<64xi32, 2>
        air.channel.get @casc[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        air.dma_memcpy_nd (%dst[%i, %c0] [%k1, %c64] [%c64, %k1], %m[] [] []) : (memref<4x64xi32>, memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
