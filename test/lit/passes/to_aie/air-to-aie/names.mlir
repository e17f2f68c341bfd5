// RUN: allo-opt %s --air-dma-to-channel --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true row-offset=2 col-offset=0 device=npu1' | filecheck %s

// A device is called like its herd, and differs from the function of that name.
// CHECK: aie.device(npu1) @copy_0
// CHECK: func.func @copy
func.func @copy(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @copy tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%b=%a) : memref<64xi32> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
    %l = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %b[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
  }
  return
}
