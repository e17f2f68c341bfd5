// async herd, tokens, accum
#map = affine_map<()[s0] -> (s0 * 32)>
module {
  func.func @matmul(%arg0: memref<64x64xi32>, %arg1: memref<64x64xi32>) -> memref<64x64xi32> {
    %c2 = arith.constant 2 : index
    %c0_i32 = arith.constant 0 : i32
    %async_token, %results = air.execute -> (memref<64x64xi32>) {
      %1 = memref.alloc() {alignment = 128 : i64} : memref<64x64xi32>
      air.execute_terminator %1 : memref<64x64xi32>
    } {id = 1 : i32}
    %async_token_0 = air.execute [%async_token] {
      linalg.fill ins(%c0_i32 : i32) outs(%results : memref<64x64xi32>)
    } {id = 2 : i32}
    %async_token_1, %results_2 = air.execute -> (memref<64x64xi32>) {
      %1 = memref.alloc() {alignment = 128 : i64} : memref<64x64xi32>
      air.execute_terminator %1 : memref<64x64xi32>
    } {id = 3 : i32}
    %async_token_3 = air.execute [%async_token_1, %async_token_0] {
      memref.copy %results, %results_2 : memref<64x64xi32> to memref<64x64xi32>
    } {id = 4 : i32}
    %0 = air.herd @herd_0 async [%async_token_3] tile (%arg2, %arg3) in (%arg4=%c2, %arg5=%c2) args(%arg6=%arg0, %arg7=%arg1, %arg8=%results_2) : memref<64x64xi32>, memref<64x64xi32>, memref<64x64xi32> attributes {id = 1 : i32} {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c32 = arith.constant 32 : index
      %async_token_4, %results_5 = air.execute -> (index) {
        %4 = affine.apply #map()[%arg2]
        air.execute_terminator %4 : index
      } {id = 5 : i32}
      %async_token_6, %results_7 = air.execute -> (index) {
        %4 = affine.apply #map()[%arg3]
        air.execute_terminator %4 : index
      } {id = 6 : i32}
      %2 = air.wait_all async [%async_token_4, %async_token_6] {id = 2 : i32}
      %3 = scf.for %arg9 = %c0 to %c64 step %c32 iter_args(%arg10 = %2) -> (!air.async.token) {
        %async_token_8, %results_9 = air.execute [%arg10] -> (memref<32x32xi32, 2>) {
          %9 = memref.alloc() : memref<32x32xi32, 2>
          air.execute_terminator %9 : memref<32x32xi32, 2>
        } {id = 7 : i32}
        %async_token_10, %results_11 = air.execute [%arg10] -> (memref<32x32xi32, 2>) {
          %9 = memref.alloc() : memref<32x32xi32, 2>
          air.execute_terminator %9 : memref<32x32xi32, 2>
        } {id = 8 : i32}
        %async_token_12, %results_13 = air.execute [%arg10] -> (memref<32x32xi32, 2>) {
          %9 = memref.alloc() : memref<32x32xi32, 2>
          air.execute_terminator %9 : memref<32x32xi32, 2>
        } {id = 9 : i32}
        %4 = air.dma_memcpy_nd async [%async_token_8, %arg10] (%results_9[] [] [], %arg6[%results_5, %arg9] [%c32, %c32] [%c64, %c1]) {id = 1 : i32} : (memref<32x32xi32, 2>, memref<64x64xi32>)
        %5 = air.dma_memcpy_nd async [%async_token_10, %arg10] (%results_11[] [] [], %arg7[%arg9, %results_7] [%c32, %c32] [%c64, %c1]) {id = 2 : i32} : (memref<32x32xi32, 2>, memref<64x64xi32>)
        %6 = air.dma_memcpy_nd async [%async_token_12, %arg10] (%results_13[] [] [], %arg8[%results_5, %results_7] [%c32, %c32] [%c64, %c1]) {id = 3 : i32} : (memref<32x32xi32, 2>, memref<64x64xi32>)
        %async_token_14 = air.execute [%5, %4, %6] {
          linalg.matmul ins(%results_9, %results_11 : memref<32x32xi32, 2>, memref<32x32xi32, 2>) outs(%results_13 : memref<32x32xi32, 2>)
        } {id = 10 : i32}
        %7 = air.dma_memcpy_nd async [%async_token_14] (%arg8[%results_5, %results_7] [%c32, %c32] [%c64, %c1], %results_13[] [] []) {id = 4 : i32} : (memref<64x64xi32>, memref<32x32xi32, 2>)
        %async_token_15 = air.execute [%async_token_14] {
          memref.dealloc %results_9 : memref<32x32xi32, 2>
        } {id = 11 : i32}
        %async_token_16 = air.execute [%async_token_14] {
          memref.dealloc %results_11 : memref<32x32xi32, 2>
        } {id = 12 : i32}
        %async_token_17 = air.execute [%7] {
          memref.dealloc %results_13 : memref<32x32xi32, 2>
        } {id = 13 : i32}
        %8 = air.wait_all async [%7, %async_token_15, %async_token_16, %async_token_17] {id = 1 : i32}
        scf.yield %8 : !air.async.token
      }
      air.wait_all [%3]
    }
    air.wait_all [%0]
    return %results_2 : memref<64x64xi32>
  }
}
