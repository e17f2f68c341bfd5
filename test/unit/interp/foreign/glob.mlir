// memref.global and get_global in herd
module {
  memref.global "private" constant @weights : memref<16xi32, 2> = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]>
  func.func @glob(%arg0: memref<16xi32>) {
    %c1 = arith.constant 1 : index
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%arg0) : memref<16xi32> {
      %g = memref.get_global @weights : memref<16xi32, 2>
      %l = memref.alloc() : memref<16xi32, 2>
      air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<16xi32, 2>, memref<16xi32>)
      linalg.mul ins(%g, %l : memref<16xi32, 2>, memref<16xi32, 2>) outs(%l : memref<16xi32, 2>)
      air.dma_memcpy_nd (%a[] [] [], %l[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
      memref.dealloc %l : memref<16xi32, 2>
    }
    return
  }
}
