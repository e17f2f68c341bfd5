// callee with herd
module {
  func.func private @work(%arg0: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%arg0) : memref<8xi32> {
      %l = memref.alloc() : memref<8xi32, 2>
      air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
      linalg.add ins(%l, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%l : memref<8xi32, 2>)
      air.dma_memcpy_nd (%a[] [] [], %l[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
      memref.dealloc %l : memref<8xi32, 2>
    }
    return
  }
  func.func @main(%arg0: memref<8xi32>) {
    call @work(%arg0) : (memref<8xi32>) -> ()
    call @work(%arg0) : (memref<8xi32>) -> ()
    return
  }
}
