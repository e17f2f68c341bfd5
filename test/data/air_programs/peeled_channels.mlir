// Three phases of one herd, each with a copy of its own: three channels share two DMA channels.
func.func @f(%a: memref<192xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b) : memref<192xi32>, memref<64xi32> {
    air.segment @s args(%u=%x, %v=%y) : memref<192xi32>, memref<64xi32> {
      %one = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%src=%u) : memref<192xi32> {
        %c0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k64 = arith.constant 64 : index
        %t = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %src[%c0] [%k64] [%k1]) : (memref<64xi32, 2>, memref<192xi32>)
        memref.dealloc %t : memref<64xi32, 2>
      }
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%src=%u) : memref<192xi32> {
        %k1 = arith.constant 1 : index
        %k64 = arith.constant 64 : index
        %t = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %src[%k64] [%k64] [%k1]) : (memref<64xi32, 2>, memref<192xi32>)
        memref.dealloc %t : memref<64xi32, 2>
      }
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%src=%u, %dst=%v) : memref<192xi32>, memref<64xi32> {
        %k1 = arith.constant 1 : index
        %k64 = arith.constant 64 : index
        %k128 = arith.constant 128 : index
        %t = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %src[%k128] [%k64] [%k1]) : (memref<64xi32, 2>, memref<192xi32>)
        air.dma_memcpy_nd (%dst[] [] [], %t[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        memref.dealloc %t : memref<64xi32, 2>
      }
    }
  }
  return
}
