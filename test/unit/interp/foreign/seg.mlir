module {
  func.func @seg(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%l) in (%ls=%c1) args(%a=%A, %b=%B) : memref<64x64xf32>, memref<64x64xf32> {
      air.segment args(%aa=%a, %bb=%b) : memref<64x64xf32>, memref<64x64xf32> {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %c64 = arith.constant 64 : index
        scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c64) step (%c32, %c32) {
          %l2 = memref.alloc() : memref<32x32xf32, 1>
          air.dma_memcpy_nd (%l2[] [] [], %aa[%i, %j] [%c32, %c32] [%c64, %c1_0]) : (memref<32x32xf32, 1>, memref<64x64xf32>)
          air.dma_memcpy_nd (%bb[%j, %i] [%c32, %c32] [%c64, %c1_0], %l2[] [] []) : (memref<64x64xf32>, memref<32x32xf32, 1>)
          memref.dealloc %l2 : memref<32x32xf32, 1>
          scf.reduce
        }
        air.segment_terminator
      }
      air.launch_terminator
    }
    return
  }
}
