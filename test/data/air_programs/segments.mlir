// Two segments side by side in a launch.
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>, %d: memref<64xi32>) {
  air.launch () in () args(%u=%a, %v=%b, %w=%c, %x=%d) : memref<64xi32>, memref<64xi32>, memref<64xi32>, memref<64xi32> {
    air.segment @s1 args(%e=%u, %f=%v) : memref<64xi32>, memref<64xi32> {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) args(%src=%e, %dst=%f) : memref<64xi32>, memref<64xi32> {
        %m = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
    air.segment @s2 args(%e=%w, %f=%x) : memref<64xi32>, memref<64xi32> {
      %c1 = arith.constant 1 : index
      air.herd @h2 tile (%i, %j) in (%p=%c1, %q=%c1) args(%src=%e, %dst=%f) : memref<64xi32>, memref<64xi32> {
        %m = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
