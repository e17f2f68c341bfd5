// An L2 buffer that the function allocates and hands through launch and segment.
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b, %k=%l2) : memref<64xi32>, memref<64xi32>, memref<64xi32, 1> {
    air.segment @s args(%u=%x, %v=%y, %w=%k) : memref<64xi32>, memref<64xi32>, memref<64xi32, 1> {
      %one = arith.constant 1 : index
      air.dma_memcpy_nd (%w[] [] [], %u[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%m=%w, %dst=%v) : memref<64xi32, 1>, memref<64xi32> {
        %l1 = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %m[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
        air.dma_memcpy_nd (%dst[] [] [], %l1[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        memref.dealloc %l1 : memref<64xi32, 2>
      }
    }
  }
  memref.dealloc %l2 : memref<64xi32, 1>
  return
}
