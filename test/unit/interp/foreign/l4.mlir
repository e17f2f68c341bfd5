// launch 4D
module {
  func.func @l4(%arg0: memref<2x2x2x2xi32>) {
    %c2 = arith.constant 2 : index
    %0 = air.launch async (%a, %b, %c, %d) in (%sa=%c2, %sb=%c2, %sc=%c2, %sd=%c2) args(%m=%arg0) : memref<2x2x2x2xi32> attributes {id = 1 : i32} {
      %1 = air.segment async args(%i=%a, %j=%b, %k=%c, %l=%d, %mm=%m) : index, index, index, index, memref<2x2x2x2xi32> {
        %c1 = arith.constant 1 : index
        %2 = air.herd async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%ii=%i, %jj=%j, %kk=%k, %ll=%l, %mmm=%mm) : index, index, index, index, memref<2x2x2x2xi32> {
          %c1_0 = arith.constant 1 : index
          %c2_0 = arith.constant 2 : index
          %c4 = arith.constant 4 : index
          %c8 = arith.constant 8 : index
          %t, %b1 = air.execute -> (memref<1xi32, 2>) {
            %al = memref.alloc() : memref<1xi32, 2>
            air.execute_terminator %al : memref<1xi32, 2>
          }
          %d0 = air.dma_memcpy_nd async [%t] (%b1[] [] [], %mmm[%ii, %jj, %kk, %ll] [%c1_0, %c1_0, %c1_0, %c1_0] [%c8, %c4, %c2_0, %c1_0]) {id = 1 : i32} : (memref<1xi32, 2>, memref<2x2x2x2xi32>)
          %e = air.execute [%d0] {
            %c0 = arith.constant 0 : index
            %v = memref.load %b1[%c0] : memref<1xi32, 2>
            %q = arith.muli %v, %v : i32
            memref.store %q, %b1[%c0] : memref<1xi32, 2>
          }
          %d1 = air.dma_memcpy_nd async [%e] (%mmm[%ii, %jj, %kk, %ll] [%c1_0, %c1_0, %c1_0, %c1_0] [%c8, %c4, %c2_0, %c1_0], %b1[] [] []) {id = 2 : i32} : (memref<2x2x2x2xi32>, memref<1xi32, 2>)
          %f = air.execute [%d1] {
            memref.dealloc %b1 : memref<1xi32, 2>
          }
        }
      }
    }
    return
  }
}
