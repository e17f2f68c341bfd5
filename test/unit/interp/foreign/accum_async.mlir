// Accumulation with async DMAs in a herd's loop that carries a token; the C tile is brought in and taken out in each round.
module {
  func.func @accum_async(%arg0: memref<8x32xi32>, %arg1: memref<32x8xi32>, %arg2: memref<8x8xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = air.herd @herd async tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%arg0, %b=%arg1, %c=%arg2) : memref<8x32xi32>, memref<32x8xi32>, memref<8x8xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %i = arith.muli %x, %c4 : index
      %j = arith.muli %y, %c4 : index
      %t0 = air.wait_all async
      %1 = scf.for %k = %c0 to %c32 step %c8 iter_args(%t = %t0) -> (!air.async.token) {
        %ta, %la = air.execute [%t] -> (memref<4x8xi32, 2>) {
          %m = memref.alloc() : memref<4x8xi32, 2>
          air.execute_terminator %m : memref<4x8xi32, 2>
        }
        %tb, %lb = air.execute [%t] -> (memref<8x4xi32, 2>) {
          %m = memref.alloc() : memref<8x4xi32, 2>
          air.execute_terminator %m : memref<8x4xi32, 2>
        }
        %tc, %lc = air.execute [%t] -> (memref<4x4xi32, 2>) {
          %m = memref.alloc() : memref<4x4xi32, 2>
          air.execute_terminator %m : memref<4x4xi32, 2>
        }
        %2 = air.dma_memcpy_nd async [%ta] (%la[] [] [], %a[%i, %k] [%c4, %c8] [%c32, %c1_0]) {id = 1 : i32} : (memref<4x8xi32, 2>, memref<8x32xi32>)
        %3 = air.dma_memcpy_nd async [%tb] (%lb[] [] [], %b[%k, %j] [%c8, %c4] [%c8, %c1_0]) {id = 2 : i32} : (memref<8x4xi32, 2>, memref<32x8xi32>)
        %4 = air.dma_memcpy_nd async [%tc, %t] (%lc[] [] [], %c[%i, %j] [%c4, %c4] [%c8, %c1_0]) {id = 3 : i32} : (memref<4x4xi32, 2>, memref<8x8xi32>)
        %e = air.execute [%2, %3, %4] {
          linalg.matmul ins(%la, %lb : memref<4x8xi32, 2>, memref<8x4xi32, 2>) outs(%lc : memref<4x4xi32, 2>)
        }
        %5 = air.dma_memcpy_nd async [%e] (%c[%i, %j] [%c4, %c4] [%c8, %c1_0], %lc[] [] []) {id = 4 : i32} : (memref<8x8xi32>, memref<4x4xi32, 2>)
        %da = air.execute [%e] {
          memref.dealloc %la : memref<4x8xi32, 2>
        }
        %db = air.execute [%e] {
          memref.dealloc %lb : memref<8x4xi32, 2>
        }
        %dc = air.execute [%5] {
          memref.dealloc %lc : memref<4x4xi32, 2>
        }
        %w = air.wait_all async [%da, %db, %dc, %5]
        scf.yield %w : !air.async.token
      }
    }
    air.wait_all [%0]
    return
  }
}
