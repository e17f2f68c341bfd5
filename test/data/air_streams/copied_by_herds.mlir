// Cores copy from and to L2 themselves, in a loop; the segment copies from and to external memory.
func.func @copied(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  air.segment @seg args(%x = %a, %y = %b) : memref<1024xi32>, memref<1024xi32> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %in = memref.alloc() : memref<1024xi32, 1>
    %out = memref.alloc() : memref<1024xi32, 1>
    air.dma_memcpy_nd (%in[] [] [], %x[] [] []) {id = 1 : i32} : (memref<1024xi32, 1>, memref<1024xi32>)
    air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c2) args(%p = %in, %q = %out) : memref<1024xi32, 1>, memref<1024xi32, 1> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      %c512 = arith.constant 512 : index
      %first = affine.apply affine_map<()[s0] -> (s0 * 512)>()[%j]
      scf.for %k = %c0 to %c512 step %c256 {
        %at = arith.addi %first, %k : index
        %l = memref.alloc() : memref<256xi32, 2>
        %r = memref.alloc() : memref<256xi32, 2>
        air.dma_memcpy_nd (%l[] [] [], %p[%at] [%c256] [%c1_0]) {id = 2 : i32} : (memref<256xi32, 2>, memref<1024xi32, 1>)
        linalg.add ins(%l, %l : memref<256xi32, 2>, memref<256xi32, 2>) outs(%r : memref<256xi32, 2>)
        air.dma_memcpy_nd (%q[%at] [%c256] [%c1_0], %r[] [] []) {id = 3 : i32} : (memref<1024xi32, 1>, memref<256xi32, 2>)
        memref.dealloc %l : memref<256xi32, 2>
        memref.dealloc %r : memref<256xi32, 2>
      }
    }
    air.dma_memcpy_nd (%y[] [] [], %out[] [] []) {id = 4 : i32} : (memref<1024xi32>, memref<1024xi32, 1>)
    memref.dealloc %in : memref<1024xi32, 1>
    memref.dealloc %out : memref<1024xi32, 1>
  }
  return
}
