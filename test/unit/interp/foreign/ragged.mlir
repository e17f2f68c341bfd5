// dynamic loop bounds, min tile
#map = affine_map<(d0)[s0] -> (-d0 + s0, 32)>
module {
  func.func @ragged(%a: memref<?xf32>, %b: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %n = memref.dim %a, %c0 : memref<?xf32>
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%aa=%a, %bb=%b, %nn=%n) : memref<?xf32>, memref<?xf32>, index {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c32_0 = arith.constant 32 : index
      scf.for %i = %c0_0 to %nn step %c32_0 {
        %s = affine.min #map(%i)[%nn]
        %l = memref.alloc(%s) : memref<?xf32, 2>
        air.dma_memcpy_nd (%l[%c0_0] [%s] [%c1_0], %aa[%i] [%s] [%c1_0]) : (memref<?xf32, 2>, memref<?xf32>)
        linalg.exp ins(%l : memref<?xf32, 2>) outs(%l : memref<?xf32, 2>)
        air.dma_memcpy_nd (%bb[%i] [%s] [%c1_0], %l[%c0_0] [%s] [%c1_0]) : (memref<?xf32>, memref<?xf32, 2>)
        memref.dealloc %l : memref<?xf32, 2>
      }
    }
    return
  }
}
