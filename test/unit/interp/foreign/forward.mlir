// launch > segment > herd, sync, l2 staging, gemm k loop
#map = affine_map<()[s0] -> (s0 * 64)>
#map1 = affine_map<()[s0] -> (s0 * 32)>
module {
  func.func @forward(%arg0: memref<128x128xbf16>, %arg1: memref<128x128xbf16>, %arg2: memref<128x128xbf16>) {
    %c2 = arith.constant 2 : index
    air.launch (%arg3, %arg4) in (%arg5=%c2, %arg6=%c2) args(%arg7=%arg0, %arg8=%arg1, %arg9=%arg2) : memref<128x128xbf16>, memref<128x128xbf16>, memref<128x128xbf16> {
      air.segment @segment_0 args(%arg10=%arg3, %arg11=%arg4, %arg12=%arg7, %arg13=%arg8, %arg14=%arg9) : index, index, memref<128x128xbf16>, memref<128x128xbf16>, memref<128x128xbf16> {
        %c2_0 = arith.constant 2 : index
        %c1 = arith.constant 1 : index
        %c0 = arith.constant 0 : index
        %c128 = arith.constant 128 : index
        %c64 = arith.constant 64 : index
        %0 = affine.apply #map()[%arg10]
        %1 = affine.apply #map()[%arg11]
        %alloc_c = memref.alloc() : memref<64x64xbf16, 1>
        air.dma_memcpy_nd (%alloc_c[] [] [], %arg14[%0, %1] [%c64, %c64] [%c128, %c1]) {id = 1 : i32} : (memref<64x64xbf16, 1>, memref<128x128xbf16>)
        scf.for %arg15 = %c0 to %c128 step %c64 {
          %alloc = memref.alloc() : memref<64x64xbf16, 1>
          %alloc_1 = memref.alloc() : memref<64x64xbf16, 1>
          air.dma_memcpy_nd (%alloc[] [] [], %arg12[%0, %arg15] [%c64, %c64] [%c128, %c1]) {id = 2 : i32} : (memref<64x64xbf16, 1>, memref<128x128xbf16>)
          air.dma_memcpy_nd (%alloc_1[] [] [], %arg13[%arg15, %1] [%c64, %c64] [%c128, %c1]) {id = 3 : i32} : (memref<64x64xbf16, 1>, memref<128x128xbf16>)
          air.herd @herd_0 tile (%arg16, %arg17) in (%arg18=%c2_0, %arg19=%c2_0) args(%arg20=%alloc, %arg21=%alloc_1, %arg22=%alloc_c) : memref<64x64xbf16, 1>, memref<64x64xbf16, 1>, memref<64x64xbf16, 1> {
            %c1_2 = arith.constant 1 : index
            %c0_3 = arith.constant 0 : index
            %c64_4 = arith.constant 64 : index
            %c32 = arith.constant 32 : index
            %2 = affine.apply #map1()[%arg16]
            %3 = affine.apply #map1()[%arg17]
            %alloc_5 = memref.alloc() : memref<32x32xbf16, 2>
            air.dma_memcpy_nd (%alloc_5[] [] [], %arg22[%2, %3] [%c32, %c32] [%c64_4, %c1_2]) {id = 4 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16, 1>)
            scf.for %arg23 = %c0_3 to %c64_4 step %c32 {
              %alloc_6 = memref.alloc() : memref<32x32xbf16, 2>
              %alloc_7 = memref.alloc() : memref<32x32xbf16, 2>
              air.dma_memcpy_nd (%alloc_6[] [] [], %arg20[%2, %arg23] [%c32, %c32] [%c64_4, %c1_2]) {id = 5 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16, 1>)
              air.dma_memcpy_nd (%alloc_7[] [] [], %arg21[%arg23, %3] [%c32, %c32] [%c64_4, %c1_2]) {id = 6 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16, 1>)
              linalg.matmul ins(%alloc_6, %alloc_7 : memref<32x32xbf16, 2>, memref<32x32xbf16, 2>) outs(%alloc_5 : memref<32x32xbf16, 2>)
              memref.dealloc %alloc_6 : memref<32x32xbf16, 2>
              memref.dealloc %alloc_7 : memref<32x32xbf16, 2>
            }
            air.dma_memcpy_nd (%arg22[%2, %3] [%c32, %c32] [%c64_4, %c1_2], %alloc_5[] [] []) {id = 7 : i32} : (memref<64x64xbf16, 1>, memref<32x32xbf16, 2>)
            memref.dealloc %alloc_5 : memref<32x32xbf16, 2>
            air.herd_terminator
          }
          memref.dealloc %alloc : memref<64x64xbf16, 1>
          memref.dealloc %alloc_1 : memref<64x64xbf16, 1>
        }
        air.dma_memcpy_nd (%arg14[%0, %1] [%c64, %c64] [%c128, %c1], %alloc_c[] [] []) {id = 8 : i32} : (memref<128x128xbf16>, memref<64x64xbf16, 1>)
        memref.dealloc %alloc_c : memref<64x64xbf16, 1>
        air.segment_terminator
      }
      air.launch_terminator
    }
    return
  }
}
