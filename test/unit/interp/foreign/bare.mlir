module {
  func.func @bare(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %c64 = arith.constant 64 : index
        scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c64) step (%c32, %c32) {
          %l2 = memref.alloc() : memref<32x32xf32, 2>
          air.dma_memcpy_nd (%l2[] [] [], %A[%i, %j] [%c32, %c32] [%c64, %c1_0]) : (memref<32x32xf32, 2>, memref<64x64xf32>)
          air.dma_memcpy_nd (%B[%j, %i] [%c32, %c32] [%c64, %c1_0], %l2[] [] []) : (memref<64x64xf32>, memref<32x32xf32, 2>)
          memref.dealloc %l2 : memref<32x32xf32, 2>
          scf.reduce
        }
    return
  }
}
