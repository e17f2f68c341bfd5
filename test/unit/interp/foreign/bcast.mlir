// broadcast with affine.if on herd ids, channels
#set = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 1 >= 0)>
#set1 = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 1 >= 0)>
module {
  func.func @bcast(%arg0: memref<64x64xf32>, %arg1: memref<64x64xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = air.launch async (%arg2) in (%arg3=%c1) args(%arg4=%arg0, %arg5=%arg1) : memref<64x64xf32>, memref<64x64xf32> {
      %1 = air.segment async args(%arg6=%arg4, %arg7=%arg5) : memref<64x64xf32>, memref<64x64xf32> {
        %c2_0 = arith.constant 2 : index
        %2 = air.herd @herd async tile (%arg8, %arg9) in (%arg10=%c2_0, %arg11=%c2_0) args(%arg12=%arg6, %arg13=%arg7) : memref<64x64xf32>, memref<64x64xf32> {
          %c0 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c32 = arith.constant 32 : index
          %c64 = arith.constant 64 : index
          %async_token, %results = air.execute -> (memref<32x64xf32, 2>) {
            %alloc = memref.alloc() : memref<32x64xf32, 2>
            air.execute_terminator %alloc : memref<32x64xf32, 2>
          }
          %3 = affine.if #set()[%arg8, %arg9] -> !air.async.token {
            %5 = air.dma_memcpy_nd async [%async_token] (%results[] [] [], %arg12[%c0, %c0] [%c32, %c64] [%c64, %c1_1]) {broadcast_set = #set, id = 1 : i32} : (memref<32x64xf32, 2>, memref<64x64xf32>)
            affine.yield %5 : !air.async.token
          } else {
            %5 = air.dma_memcpy_nd async [%async_token] (%results[] [] [], %arg12[%c32, %c0] [%c32, %c64] [%c64, %c1_1]) {broadcast_set = #set1, id = 2 : i32} : (memref<32x64xf32, 2>, memref<64x64xf32>)
            affine.yield %5 : !air.async.token
          }
          %cst = arith.constant 2.0 : f32
          %async_token_2, %results_3 = air.execute -> (memref<32x32xf32, 2>) {
            %alloc = memref.alloc() : memref<32x32xf32, 2>
            air.execute_terminator %alloc : memref<32x32xf32, 2>
          }
          %async_token_4 = air.execute [%3, %async_token_2] {
            %sub = memref.subview %results[0, 0] [32, 32] [1, 1] : memref<32x64xf32, 2> to memref<32x32xf32, strided<[64, 1]>, 2>
            linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%sub : memref<32x32xf32, strided<[64, 1]>, 2>) outs(%results_3 : memref<32x32xf32, 2>) {
            ^bb0(%in: f32, %out: f32):
              %6 = arith.mulf %in, %cst : f32
              linalg.yield %6 : f32
            }
          }
          %o0 = arith.muli %arg8, %c32 : index
          %o1 = arith.muli %arg9, %c32 : index
          %4 = air.dma_memcpy_nd async [%async_token_4] (%arg13[%o0, %o1] [%c32, %c32] [%c64, %c1_1], %results_3[] [] []) {id = 3 : i32} : (memref<64x64xf32>, memref<32x32xf32, 2>)
          %async_token_5 = air.execute [%async_token_4] {
            memref.dealloc %results : memref<32x64xf32, 2>
          }
          %async_token_6 = air.execute [%4] {
            memref.dealloc %results_3 : memref<32x32xf32, 2>
          }
        }
      }
    }
    return
  }
}
