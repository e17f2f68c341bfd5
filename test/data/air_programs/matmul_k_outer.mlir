// 16x16x24 i8 -> i32 matmul on a 2x2 herd: the k loop runs over tiles in L2, the accumulator goes between L2 and L1 each time.
#map = affine_map<()[s0] -> (s0 * 16)>
#map1 = affine_map<()[s0] -> (s0 * 8)>
module {
  func.func @matmul(%arg0: memref<16x24xi8>, %arg1: memref<24x16xi8>, %arg2: memref<16x16xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c2_0 = arith.constant 2 : index
    %c1_1 = arith.constant 1 : index
    %c1_2 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c24 = arith.constant 24 : index
    %c0_i32 = arith.constant 0 : i32
    %c1_3 = arith.constant 1 : index
    %c1_4 = arith.constant 1 : index
    air.launch (%arg3, %arg4) in (%arg5=%c1_3, %arg6=%c1_4) args(%arg7=%arg0, %arg8=%arg1, %arg9=%arg2) : memref<16x24xi8>, memref<24x16xi8>, memref<16x16xi32> {
      air.segment @matmul_0 args(%arg10=%arg3, %arg11=%arg4, %arg12=%arg5, %arg13=%arg6, %arg14=%arg7, %arg15=%arg8, %arg16=%arg9) : index, index, index, index, memref<16x24xi8>, memref<24x16xi8>, memref<16x16xi32> {
        %c1_5 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c0_6 = arith.constant 0 : index
        %c24_7 = arith.constant 24 : index
        %c8_8 = arith.constant 8 : index
        %0 = affine.apply #map()[%arg10]
        %1 = affine.apply #map()[%arg11]
        %alloc = memref.alloc() : memref<16x16xi32, 1>
        %c2_9 = arith.constant 2 : index
        %c2_10 = arith.constant 2 : index
        air.herd @herd_0 tile (%arg17, %arg18) in (%arg19=%c2_9, %arg20=%c2_10) args(%arg21=%alloc) : memref<16x16xi32, 1> {
          %c1_11 = arith.constant 1 : index
          %c16_12 = arith.constant 16 : index
          %c8_13 = arith.constant 8 : index
          %c0_i32_14 = arith.constant 0 : i32
          %2 = affine.apply #map1()[%arg17]
          %3 = affine.apply #map1()[%arg18]
          %alloc_15 = memref.alloc() : memref<8x8xi32, 2>
          linalg.fill ins(%c0_i32_14 : i32) outs(%alloc_15 : memref<8x8xi32, 2>)
          air.dma_memcpy_nd (%arg21[%2, %3] [%c8_13, %c8_13] [%c16_12, %c1_11], %alloc_15[] [] []) {id = 1 : i32} : (memref<16x16xi32, 1>, memref<8x8xi32, 2>)
          memref.dealloc %alloc_15 : memref<8x8xi32, 2>
        }
        scf.for %arg17 = %c0_6 to %c24_7 step %c8_8 {
          %alloc_11 = memref.alloc() : memref<16x8xi8, 1>
          %alloc_12 = memref.alloc() : memref<8x16xi8, 1>
          air.dma_memcpy_nd (%alloc_11[] [] [], %arg14[%0, %arg17] [%c16, %c8_8] [%c24_7, %c1_5]) {id = 2 : i32} : (memref<16x8xi8, 1>, memref<16x24xi8>)
          air.dma_memcpy_nd (%alloc_12[] [] [], %arg15[%arg17, %1] [%c8_8, %c16] [%c16, %c1_5]) {id = 3 : i32} : (memref<8x16xi8, 1>, memref<24x16xi8>)
          %c2_13 = arith.constant 2 : index
          %c2_14 = arith.constant 2 : index
          air.herd @herd_1 tile (%arg18, %arg19) in (%arg20=%c2_13, %arg21=%c2_14) args(%arg22=%alloc_11, %arg23=%alloc_12, %arg24=%alloc) : memref<16x8xi8, 1>, memref<8x16xi8, 1>, memref<16x16xi32, 1> {
            %c16_15 = arith.constant 16 : index
            %c1_16 = arith.constant 1 : index
            %c8_17 = arith.constant 8 : index
            %c0_18 = arith.constant 0 : index
            %2 = affine.apply #map1()[%arg18]
            %3 = affine.apply #map1()[%arg19]
            %alloc_19 = memref.alloc() : memref<8x8xi8, 2>
            %alloc_20 = memref.alloc() : memref<8x8xi8, 2>
            %alloc_21 = memref.alloc() : memref<8x8xi32, 2>
            air.dma_memcpy_nd (%alloc_19[] [] [], %arg22[%2, %c0_18] [%c8_17, %c8_17] [%c8_17, %c1_16]) {id = 4 : i32} : (memref<8x8xi8, 2>, memref<16x8xi8, 1>)
            air.dma_memcpy_nd (%alloc_20[] [] [], %arg23[%c0_18, %3] [%c8_17, %c8_17] [%c16_15, %c1_16]) {id = 5 : i32} : (memref<8x8xi8, 2>, memref<8x16xi8, 1>)
            air.dma_memcpy_nd (%alloc_21[] [] [], %arg24[%2, %3] [%c8_17, %c8_17] [%c16_15, %c1_16]) {id = 6 : i32} : (memref<8x8xi32, 2>, memref<16x16xi32, 1>)
            linalg.matmul ins(%alloc_19, %alloc_20 : memref<8x8xi8, 2>, memref<8x8xi8, 2>) outs(%alloc_21 : memref<8x8xi32, 2>)
            air.dma_memcpy_nd (%arg24[%2, %3] [%c8_17, %c8_17] [%c16_15, %c1_16], %alloc_21[] [] []) {id = 7 : i32} : (memref<16x16xi32, 1>, memref<8x8xi32, 2>)
            memref.dealloc %alloc_19 : memref<8x8xi8, 2>
            memref.dealloc %alloc_20 : memref<8x8xi8, 2>
            memref.dealloc %alloc_21 : memref<8x8xi32, 2>
          }
          memref.dealloc %alloc_11 : memref<16x8xi8, 1>
          memref.dealloc %alloc_12 : memref<8x16xi8, 1>
        }
        air.dma_memcpy_nd (%arg16[%0, %1] [%c16, %c16] [%c16, %c1_5], %alloc[] [] []) {id = 8 : i32} : (memref<16x16xi32>, memref<16x16xi32, 1>)
        memref.dealloc %alloc : memref<16x16xi32, 1>
      }
    }
    return
  }
}
