// A function that returns a buffer: it becomes an argument.
func.func @f(%a: memref<64xi32>) -> memref<64xi32> {
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<64xi32>
  air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) args(%src=%a, %dst=%b) : memref<64xi32>, memref<64xi32> {
    %m = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
    memref.dealloc %m : memref<64xi32, 2>
  }
  return %b : memref<64xi32>
}
