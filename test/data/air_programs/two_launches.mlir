// Two launches in one function: two devices, configured one after the other.
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b) : memref<64xi32>, memref<64xi32> {
    air.segment @one args(%u=%x, %v=%y) : memref<64xi32>, memref<64xi32> {
      %one = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%src=%u, %dst=%v) : memref<64xi32>, memref<64xi32> {
        %m = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  air.launch (%l) in (%n=%c1) args(%x=%b, %y=%c) : memref<64xi32>, memref<64xi32> {
    air.segment @two args(%u=%x, %v=%y) : memref<64xi32>, memref<64xi32> {
      %one = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%src=%u, %dst=%v) : memref<64xi32>, memref<64xi32> {
        %m = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
