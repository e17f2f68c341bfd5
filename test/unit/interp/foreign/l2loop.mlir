// DMA form: L2 buffers allocated in the segment's loop, herd in the loop, accumulation over the loop in an L2 result.
module {
  func.func @l2loop(%arg0: memref<16x32xf32>, %arg1: memref<32x16xf32>, %arg2: memref<16x16xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%lx, %ly) in (%sx=%c1, %sy=%c1) args(%a=%arg0, %b=%arg1, %c=%arg2) : memref<16x32xf32>, memref<32x16xf32>, memref<16x16xf32> {
      air.segment @seg args(%a1=%a, %b1=%b, %c1_0=%c) : memref<16x32xf32>, memref<32x16xf32>, memref<16x16xf32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %l2c = memref.alloc() : memref<16x16xf32, 1>
        air.dma_memcpy_nd (%l2c[] [] [], %c1_0[] [] []) {id = 1 : i32} : (memref<16x16xf32, 1>, memref<16x16xf32>)
        scf.for %k = %c0 to %c32 step %c8 {
          %l2a = memref.alloc() : memref<16x8xf32, 1>
          %l2b = memref.alloc() : memref<8x16xf32, 1>
          air.dma_memcpy_nd (%l2a[] [] [], %a1[%c0, %k] [%c16, %c8] [%c32, %c1_1]) {id = 2 : i32} : (memref<16x8xf32, 1>, memref<16x32xf32>)
          air.dma_memcpy_nd (%l2b[] [] [], %b1[%k, %c0] [%c8, %c16] [%c16, %c1_1]) {id = 3 : i32} : (memref<8x16xf32, 1>, memref<32x16xf32>)
          air.herd @herd tile (%x, %y) in (%hx=%c2, %hy=%c2) args(%ha=%l2a, %hb=%l2b, %hc=%l2c) : memref<16x8xf32, 1>, memref<8x16xf32, 1>, memref<16x16xf32, 1> {
            %z = arith.constant 0 : index
            %o = arith.constant 1 : index
            %e = arith.constant 8 : index
            %s = arith.constant 16 : index
            %i = affine.apply affine_map<(d0) -> (d0 * 8)>(%x)
            %j = affine.apply affine_map<(d0) -> (d0 * 8)>(%y)
            %la = memref.alloc() : memref<8x8xf32, 2>
            %lb = memref.alloc() : memref<8x8xf32, 2>
            %lc = memref.alloc() : memref<8x8xf32, 2>
            air.dma_memcpy_nd (%la[] [] [], %ha[%i, %z] [%e, %e] [%e, %o]) {id = 4 : i32} : (memref<8x8xf32, 2>, memref<16x8xf32, 1>)
            air.dma_memcpy_nd (%lb[] [] [], %hb[%z, %j] [%e, %e] [%s, %o]) {id = 5 : i32} : (memref<8x8xf32, 2>, memref<8x16xf32, 1>)
            air.dma_memcpy_nd (%lc[] [] [], %hc[%i, %j] [%e, %e] [%s, %o]) {id = 6 : i32} : (memref<8x8xf32, 2>, memref<16x16xf32, 1>)
            linalg.matmul ins(%la, %lb : memref<8x8xf32, 2>, memref<8x8xf32, 2>) outs(%lc : memref<8x8xf32, 2>)
            air.dma_memcpy_nd (%hc[%i, %j] [%e, %e] [%s, %o], %lc[] [] []) {id = 7 : i32} : (memref<16x16xf32, 1>, memref<8x8xf32, 2>)
            memref.dealloc %la : memref<8x8xf32, 2>
            memref.dealloc %lb : memref<8x8xf32, 2>
            memref.dealloc %lc : memref<8x8xf32, 2>
          }
          memref.dealloc %l2a : memref<16x8xf32, 1>
          memref.dealloc %l2b : memref<8x16xf32, 1>
        }
        air.dma_memcpy_nd (%c1_0[] [] [], %l2c[] [] []) {id = 8 : i32} : (memref<16x16xf32>, memref<16x16xf32, 1>)
        memref.dealloc %l2c : memref<16x16xf32, 1>
      }
    }
    return
  }
}
