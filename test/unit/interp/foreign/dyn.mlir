// dma with pads, dynamic sizes
module {
  func.func @dyn(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %m: index) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %d0 = memref.dim %arg0, %c0 : memref<?x?xf32>
    %d1 = memref.dim %arg0, %c1 : memref<?x?xf32>
    air.launch (%x) in (%s=%c1) args(%a=%arg0, %b=%arg1, %n0=%d0, %n1=%d1) : memref<?x?xf32>, memref<?x?xf32>, index, index {
      air.segment args(%aa=%a, %bb=%b, %m0=%n0, %m1=%n1) : memref<?x?xf32>, memref<?x?xf32>, index, index {
        %c1_0 = arith.constant 1 : index
        %c0_0 = arith.constant 0 : index
        %l2 = memref.alloc(%m0, %m1) : memref<?x?xf32, 1>
        air.dma_memcpy_nd (%l2[] [] [], %aa[%c0_0, %c0_0] [%m0, %m1] [%m1, %c1_0]) : (memref<?x?xf32, 1>, memref<?x?xf32>)
        air.dma_memcpy_nd (%bb[%c0_0, %c0_0] [%m0, %m1] [%m1, %c1_0], %l2[] [] []) : (memref<?x?xf32>, memref<?x?xf32, 1>)
        memref.dealloc %l2 : memref<?x?xf32, 1>
        air.segment_terminator
      }
      air.launch_terminator
    }
    return
  }
}
