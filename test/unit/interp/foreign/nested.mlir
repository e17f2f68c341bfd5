// nested scf.for with iter args, wait_all
module {
  func.func @nested(%arg0: memref<64x64xi32>, %arg1: memref<64x64xi32>) {
    %c1 = arith.constant 1 : index
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%arg0, %b=%arg1) : memref<64x64xi32>, memref<64x64xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %t0 = air.wait_all async
      %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%ti = %t0) -> (!air.async.token) {
        %rr = scf.for %j = %c0 to %c64 step %c16 iter_args(%tj = %ti) -> (!air.async.token) {
          %ta, %ma = air.execute [%tj] -> (memref<16x16xi32, 2>) {
            %al = memref.alloc() : memref<16x16xi32, 2>
            air.execute_terminator %al : memref<16x16xi32, 2>
          }
          %d = air.dma_memcpy_nd async [%ta, %tj] (%ma[] [] [], %a[%i, %j] [%c16, %c16] [%c64, %c1_0]) {id = 1 : i32} : (memref<16x16xi32, 2>, memref<64x64xi32>)
          %e = air.execute [%d] {
            linalg.add ins(%ma, %ma : memref<16x16xi32, 2>, memref<16x16xi32, 2>) outs(%ma : memref<16x16xi32, 2>)
          }
          %d2 = air.dma_memcpy_nd async [%e] (%b[%j, %i] [%c16, %c16] [%c64, %c1_0], %ma[%c0, %c0] [%c16, %c16] [%c1_0, %c16]) {id = 2 : i32} : (memref<64x64xi32>, memref<16x16xi32, 2>)
          %f = air.execute [%d2] {
            memref.dealloc %ma : memref<16x16xi32, 2>
          }
          scf.yield %f : !air.async.token
        }
        scf.yield %rr : !air.async.token
      }
      air.wait_all [%r]
      air.herd_terminator
    }
    return
  }
}
