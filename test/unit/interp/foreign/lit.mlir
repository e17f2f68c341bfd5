// integer literal lists; air.custom
module {
  func.func @lit(%arg0: memref<64x64xi32>, %arg1: memref<64x64xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = air.wait_all async
    %e1 = air.custom async [%t]
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%arg0, %b=%arg1) : memref<64x64xi32>, memref<64x64xi32> {
      %c32 = arith.constant 32 : index
      %o = arith.muli %x, %c32 : index
      %l = memref.alloc() : memref<32x64xi32, 2>
      air.dma_memcpy_nd (%l[] [] [], %a[%o, 0] [32, 64] [64, 1]) {id = 1 : i32} : (memref<32x64xi32, 2>, memref<64x64xi32>)
      air.dma_memcpy_nd (%b[%o, 0] [32, 64] [64, 1], %l[0, 0] [32, 64] [64, 1]) {id = 2 : i32} : (memref<64x64xi32>, memref<32x64xi32, 2>)
      memref.dealloc %l : memref<32x64xi32, 2>
    }
    return
  }
}
