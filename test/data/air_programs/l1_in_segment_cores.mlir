// As l1_in_segment_loop, on four cores: each has a copy of its own.
func.func @f(%a: memref<4x256xi32>, %b: memref<4x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b) : memref<4x256xi32>, memref<4x64xi32> {
    air.segment @s args(%u=%x, %v=%y) : memref<4x256xi32>, memref<4x64xi32> {
      %c2 = arith.constant 2 : index
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %acc = memref.alloc() : memref<64xi32, 2>
      air.herd @h tile (%i, %j) in (%p=%c2, %q=%c2) args(%m=%acc) : memref<64xi32, 2> {
        %zero = arith.constant 0 : i32
        linalg.fill ins(%zero : i32) outs(%m : memref<64xi32, 2>)
      }
      scf.for %k = %c0 to %c256 step %c64 {
        air.herd @h tile (%i, %j) in (%p=%c2, %q=%c2) args(%o=%k, %src=%u, %m=%acc) : index, memref<4x256xi32>, memref<64xi32, 2> {
          %k1 = arith.constant 1 : index
          %k64 = arith.constant 64 : index
          %k256 = arith.constant 256 : index
          %r = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)
          %t = memref.alloc() : memref<64xi32, 2>
          air.dma_memcpy_nd (%t[] [] [], %src[%r, %o] [%k1, %k64] [%k256, %k1]) : (memref<64xi32, 2>, memref<4x256xi32>)
          linalg.add ins(%m, %t : memref<64xi32, 2>, memref<64xi32, 2>) outs(%m : memref<64xi32, 2>)
          memref.dealloc %t : memref<64xi32, 2>
        }
      }
      air.herd @h tile (%i, %j) in (%p=%c2, %q=%c2) args(%m=%acc, %dst=%v) : memref<64xi32, 2>, memref<4x64xi32> {
        %first = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k64 = arith.constant 64 : index
        %r = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)
        air.dma_memcpy_nd (%dst[%r, %first] [%k1, %k64] [%k64, %k1], %m[] [] []) : (memref<4x64xi32>, memref<64xi32, 2>)
      }
      memref.dealloc %acc : memref<64xi32, 2>
    }
  }
  return
}
