// segment x async, L2 unroll args passed
module {
  func.func @launch(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>) {
    %c2 = arith.constant 2 : index
    %t = air.wait_all async
    %t1 = air.segment @seg async [%t] unroll (%tx) in (%size_x = %c2) args(%aa=%arg0, %bb=%arg1) : memref<16x16xf32>, memref<16x16xf32> {
      %c1_0 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c0 = arith.constant 0 : index
      %row = arith.muli %tx, %c8 : index
      %l2t, %l2 = air.execute -> (memref<8x16xf32, 1>) {
        %al = memref.alloc() : memref<8x16xf32, 1>
        air.execute_terminator %al : memref<8x16xf32, 1>
      }
      %d0 = air.dma_memcpy_nd async [%l2t] (%l2[] [] [], %aa[%row, %c0] [%c8, %c16] [%c16, %c1_0]) {id = 1 : i32} : (memref<8x16xf32, 1>, memref<16x16xf32>)
      %h = air.herd @h async [%d0] tile (%hx, %hy) in (%sx=%c1_0, %sy=%c2_0) args(%l=%l2) : memref<8x16xf32, 1> attributes {x_loc = 1 : i64, y_loc = 3 : i64} {
        %c0_1 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c8_1 = arith.constant 8 : index
        %c16_1 = arith.constant 16 : index
        %col = arith.muli %hy, %c8_1 : index
        %at, %am = air.execute -> (memref<8x8xf32, 2>) {
          %al = memref.alloc() : memref<8x8xf32, 2>
          air.execute_terminator %al : memref<8x8xf32, 2>
        }
        %dd = air.dma_memcpy_nd async [%at] (%am[] [] [], %l[%c0_1, %col] [%c8_1, %c8_1] [%c16_1, %c1_1]) {id = 2 : i32} : (memref<8x8xf32, 2>, memref<8x16xf32, 1>)
        %e = air.execute [%dd] {
          linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%am : memref<8x8xf32, 2>) {
          ^bb0(%o: f32):
            %v = arith.addf %o, %o : f32
            linalg.yield %v : f32
          }
        }
        %de = air.dma_memcpy_nd async [%e] (%l[%c0_1, %col] [%c8_1, %c8_1] [%c16_1, %c1_1], %am[] [] []) {id = 3 : i32} : (memref<8x16xf32, 1>, memref<8x8xf32, 2>)
        %fr = air.execute [%de] {
          memref.dealloc %am : memref<8x8xf32, 2>
        }
        air.herd_terminator
      }
      %back = air.dma_memcpy_nd async [%h] (%bb[%row, %c0] [%c8, %c16] [%c16, %c1_0], %l2[] [] []) {id = 4 : i32} : (memref<16x16xf32>, memref<8x16xf32, 1>)
      %fr2 = air.execute [%back] {
        memref.dealloc %l2 : memref<8x16xf32, 1>
      }
      air.segment_terminator
    }
    air.wait_all [%t1]
    return
  }
}
