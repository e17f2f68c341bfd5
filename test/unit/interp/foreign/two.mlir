// multi herd with L2
module {
  func.func @two(%arg0: memref<1024xi32>, %arg1: memref<1024xi32>) {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    air.launch () in () args(%arg2=%arg0, %arg3=%arg1) : memref<1024xi32>, memref<1024xi32> {
      air.segment @seg args(%arg4=%arg2, %arg5=%arg3) : memref<1024xi32>, memref<1024xi32> {
        %c1_0 = arith.constant 1 : index
        %c4_0 = arith.constant 4 : index
        %l2 = memref.alloc() : memref<1024xi32, 1>
        %l2b = memref.alloc() : memref<1024xi32, 1 : i32>
        air.dma_memcpy_nd (%l2[] [] [], %arg4[] [] []) {id = 1 : i32} : (memref<1024xi32, 1>, memref<1024xi32>)
        air.herd @add tile (%x, %y) in (%sx=%c4_0, %sy=%c1_0) args(%a=%l2, %b=%l2b) : memref<1024xi32, 1>, memref<1024xi32, 1 : i32> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
          %c256 = arith.constant 256 : index
          %c1_1 = arith.constant 1 : index
          %off = arith.muli %x, %c256 : index
          %buf = memref.alloc() : memref<256xi32, 2>
          air.dma_memcpy_nd (%buf[] [] [], %a[%off] [%c256] [%c1_1]) : (memref<256xi32, 2>, memref<1024xi32, 1>)
          affine.for %i = 0 to 256 {
            %v = affine.load %buf[%i] : memref<256xi32, 2>
            %c7 = arith.constant 7 : i32
            %w = arith.addi %v, %c7 : i32
            affine.store %w, %buf[%i] : memref<256xi32, 2>
          }
          air.dma_memcpy_nd (%b[%off] [%c256] [%c1_1], %buf[] [] []) : (memref<1024xi32, 1 : i32>, memref<256xi32, 2>)
          memref.dealloc %buf : memref<256xi32, 2>
          air.herd_terminator
        }
        air.herd @mul tile (%x, %y) in (%sx=%c1_0, %sy=%c4_0) args(%a=%l2b, %b=%arg5) : memref<1024xi32, 1 : i32>, memref<1024xi32> attributes {x_loc = 4 : i64, y_loc = 2 : i64} {
          %c256 = arith.constant 256 : index
          %c1_1 = arith.constant 1 : index
          %off = arith.muli %y, %c256 : index
          %buf = memref.alloc() : memref<256xi32, 2>
          %out = memref.alloc() : memref<256xi32, 2>
          air.dma_memcpy_nd (%buf[] [] [], %a[%off] [%c256] [%c1_1]) : (memref<256xi32, 2>, memref<1024xi32, 1 : i32>)
          linalg.mul ins(%buf, %buf : memref<256xi32, 2>, memref<256xi32, 2>) outs(%out : memref<256xi32, 2>)
          air.dma_memcpy_nd (%b[%off] [%c256] [%c1_1], %out[] [] []) : (memref<1024xi32>, memref<256xi32, 2>)
          memref.dealloc %buf : memref<256xi32, 2>
          memref.dealloc %out : memref<256xi32, 2>
          air.herd_terminator
        }
        memref.dealloc %l2 : memref<1024xi32, 1>
        memref.dealloc %l2b : memref<1024xi32, 1 : i32>
        air.segment_terminator
      }
      air.launch_terminator
    }
    return
  }
}
