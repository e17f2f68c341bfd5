// One L1 buffer for two herds on different cores.
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b) : memref<64xi32>, memref<64xi32> {
    air.segment @s args(%u=%x, %v=%y) : memref<64xi32>, memref<64xi32> {
      %one = arith.constant 1 : index
      %both = memref.alloc() : memref<64xi32, 2>
      air.herd @producer tile (%i, %j) in (%p=%one, %q=%one) args(%m=%both, %src=%u) : memref<64xi32, 2>, memref<64xi32> {
        air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
      }
      air.herd @consumer tile (%i, %j) in (%p=%one, %q=%one) args(%m=%both, %dst=%v) : memref<64xi32, 2>, memref<64xi32> {
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
      }
      memref.dealloc %both : memref<64xi32, 2>
    }
  }
  return
}
