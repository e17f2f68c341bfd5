// As l1_in_segment; one phase adds to the buffer in a loop of the segment.
func.func @f(%a: memref<256xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b) : memref<256xi32>, memref<64xi32> {
    air.segment @s args(%u=%x, %v=%y) : memref<256xi32>, memref<64xi32> {
      %one = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %acc = memref.alloc() : memref<64xi32, 2>
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%m=%acc) : memref<64xi32, 2> {
        %zero = arith.constant 0 : i32
        linalg.fill ins(%zero : i32) outs(%m : memref<64xi32, 2>)
      }
      scf.for %k = %c0 to %c256 step %c64 {
        air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%o=%k, %src=%u, %m=%acc) : index, memref<256xi32>, memref<64xi32, 2> {
          %k1 = arith.constant 1 : index
          %k64 = arith.constant 64 : index
          %t = memref.alloc() : memref<64xi32, 2>
          air.dma_memcpy_nd (%t[] [] [], %src[%o] [%k64] [%k1]) : (memref<64xi32, 2>, memref<256xi32>)
          linalg.add ins(%m, %t : memref<64xi32, 2>, memref<64xi32, 2>) outs(%m : memref<64xi32, 2>)
          memref.dealloc %t : memref<64xi32, 2>
        }
      }
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%m=%acc, %dst=%v) : memref<64xi32, 2>, memref<64xi32> {
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
      }
      memref.dealloc %acc : memref<64xi32, 2>
    }
  }
  return
}
