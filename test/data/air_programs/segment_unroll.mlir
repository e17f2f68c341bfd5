// Two instances of a segment on one device.
func.func @f(%a: memref<128xi32>, %b: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b) : memref<128xi32>, memref<128xi32> {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    air.segment @s unroll (%e, %g) in (%r=%two, %t=%one) args(%u=%x, %v=%y) : memref<128xi32>, memref<128xi32> {
      %d1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %at = arith.muli %e, %c64 : index
      air.herd @h tile (%i, %j) in (%p=%d1, %q=%d1) args(%o=%at, %src=%u, %dst=%v) : index, memref<128xi32>, memref<128xi32> {
        %k1 = arith.constant 1 : index
        %k64 = arith.constant 64 : index
        %m = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %src[%o] [%k64] [%k1]) : (memref<64xi32, 2>, memref<128xi32>)
        air.dma_memcpy_nd (%dst[%o] [%k64] [%k1], %m[] [] []) : (memref<128xi32>, memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
