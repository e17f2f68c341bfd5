// An unrolled segment grid: each instance has its own herd; scf.if on the segment's id inside an execute.
module {
  func.func @unroll_seg(%arg0: memref<4x16xi32>, %arg1: memref<4x16xi32>) {
    %c1 = arith.constant 1 : index
    %0 = air.launch async (%l) in (%n=%c1) args(%a=%arg0, %b=%arg1) : memref<4x16xi32>, memref<4x16xi32> {
      %c2 = arith.constant 2 : index
      %1 = air.segment @seg async unroll(%u, %v) in (%su=%c2, %sv=%c2) args(%sa=%a, %sb=%b) : memref<4x16xi32>, memref<4x16xi32> {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c2_0 = arith.constant 2 : index
        %r = arith.muli %u, %c2_0 : index
        %row = arith.addi %r, %v : index
        %t, %l2 = air.execute -> (memref<16xi32, 1>) {
          %m = memref.alloc() : memref<16xi32, 1>
          air.execute_terminator %m : memref<16xi32, 1>
        }
        %2 = air.dma_memcpy_nd async [%t] (%l2[] [] [], %sa[%row, %c0] [%c1_0, %c16] [%c16, %c1_0]) {id = 1 : i32} : (memref<16xi32, 1>, memref<4x16xi32>)
        %3 = air.herd @h async [%2] tile (%x, %y) in (%hx=%c1_0, %hy=%c1_0) args(%hl=%l2, %hu=%u) : memref<16xi32, 1>, index {
          %c0_1 = arith.constant 0 : index
          %at, %m = air.execute -> (memref<16xi32, 2>) {
            %al = memref.alloc() : memref<16xi32, 2>
            air.execute_terminator %al : memref<16xi32, 2>
          }
          %4 = air.dma_memcpy_nd async [%at] (%m[] [] [], %hl[] [] []) {id = 2 : i32} : (memref<16xi32, 2>, memref<16xi32, 1>)
          %e, %f = air.execute [%4] -> (i32) {
            %first = arith.cmpi eq, %hu, %c0_1 : index
            %k = scf.if %first -> (i32) {
              %c5 = arith.constant 5 : i32
              scf.yield %c5 : i32
            } else {
              %c7 = arith.constant 7 : i32
              scf.yield %c7 : i32
            }
            air.execute_terminator %k : i32
          }
          %g = air.execute [%e] {
            affine.for %i = 0 to 16 {
              %p = affine.load %m[%i] : memref<16xi32, 2>
              %q = arith.addi %p, %f : i32
              affine.store %q, %m[%i] : memref<16xi32, 2>
            }
          }
          %5 = air.dma_memcpy_nd async [%g] (%hl[] [] [], %m[] [] []) {id = 3 : i32} : (memref<16xi32, 1>, memref<16xi32, 2>)
          %d = air.execute [%5] {
            memref.dealloc %m : memref<16xi32, 2>
          }
        }
        %6 = air.dma_memcpy_nd async [%3] (%sb[%row, %c0] [%c1_0, %c16] [%c16, %c1_0], %l2[] [] []) {id = 4 : i32} : (memref<4x16xi32>, memref<16xi32, 1>)
        %7 = air.execute [%6] {
          memref.dealloc %l2 : memref<16xi32, 1>
        }
      }
    }
    air.wait_all [%0]
    return
  }
}
