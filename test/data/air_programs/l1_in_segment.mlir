// An L1 buffer that the segment allocates and two phases of one herd share: the core's own, kept from phase to phase.
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b) : memref<64xi32>, memref<64xi32> {
    air.segment @s args(%u=%x, %v=%y) : memref<64xi32>, memref<64xi32> {
      %one = arith.constant 1 : index
      %acc = memref.alloc() : memref<64xi32, 2>
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%m=%acc, %src=%u) : memref<64xi32, 2>, memref<64xi32> {
        air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
      }
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%m=%acc, %dst=%v) : memref<64xi32, 2>, memref<64xi32> {
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
      }
      memref.dealloc %acc : memref<64xi32, 2>
    }
  }
  return
}
