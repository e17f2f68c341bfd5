// multiple launches in a function with dep tokens
module {
  func.func @two_launch(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %0 = air.launch async (%x) in (%sx=%c4) args(%a=%arg0, %b=%arg1) : memref<64xf32>, memref<64xf32> attributes {id = 1 : i32} {
      %1 = air.segment @seg0 async args(%i=%x, %aa=%a, %bb=%b) : index, memref<64xf32>, memref<64xf32> attributes {id = 1 : i32} {
        %c1_0 = arith.constant 1 : index
        %2 = air.herd @h0 async tile (%hx, %hy) in (%hsx=%c1_0, %hsy=%c1_0) args(%ii=%i, %m=%aa, %n=%bb) : index, memref<64xf32>, memref<64xf32> attributes {id = 1 : i32} {
          %c16 = arith.constant 16 : index
          %c1_1 = arith.constant 1 : index
          %o = arith.muli %ii, %c16 : index
          %l = memref.alloc() : memref<16xf32, 2>
          air.dma_memcpy_nd (%l[] [] [], %m[%o] [%c16] [%c1_1]) {id = 1 : i32} : (memref<16xf32, 2>, memref<64xf32>)
          linalg.add ins(%l, %l : memref<16xf32, 2>, memref<16xf32, 2>) outs(%l : memref<16xf32, 2>)
          air.dma_memcpy_nd (%n[%o] [%c16] [%c1_1], %l[] [] []) {id = 2 : i32} : (memref<64xf32>, memref<16xf32, 2>)
          memref.dealloc %l : memref<16xf32, 2>
        }
      }
    }
    %5 = air.launch async [%0] (%x) in (%sx=%c1) args(%a=%arg0, %b=%arg1) : memref<64xf32>, memref<64xf32> attributes {id = 2 : i32} {
      %1 = air.segment @seg1 async args(%aa=%a, %bb=%b) : memref<64xf32>, memref<64xf32> attributes {id = 2 : i32} {
        %c1_0 = arith.constant 1 : index
        %c4_0 = arith.constant 4 : index
        %2 = air.herd @h1 async tile (%hx, %hy) in (%hsx=%c1_0, %hsy=%c4_0) args(%m=%aa, %n=%bb) : memref<64xf32>, memref<64xf32> attributes {id = 2 : i32} {
          %c16 = arith.constant 16 : index
          %c1_1 = arith.constant 1 : index
          %o = arith.muli %hy, %c16 : index
          %l = memref.alloc() : memref<16xf32, 2>
          air.dma_memcpy_nd (%l[] [] [], %n[%o] [%c16] [%c1_1]) {id = 3 : i32} : (memref<16xf32, 2>, memref<64xf32>)
          linalg.mul ins(%l, %l : memref<16xf32, 2>, memref<16xf32, 2>) outs(%l : memref<16xf32, 2>)
          air.dma_memcpy_nd (%m[%o] [%c16] [%c1_1], %l[] [] []) {id = 4 : i32} : (memref<64xf32>, memref<16xf32, 2>)
          memref.dealloc %l : memref<16xf32, 2>
        }
      }
    }
    air.wait_all [%5]
    return
  }
}
