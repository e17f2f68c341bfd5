// par to herd/launch: affine.parallel, scf.forall, memref.copy subviews
#map = affine_map<(d0) -> (d0 * 32)>
module {
  func.func @scf0(%A: memref<128x128xf32>, %B: memref<128x128xf32>) {
    affine.parallel (%x, %y) = (0, 0) to (4, 4) {
      %2 = affine.apply #map(%x)
      %3 = affine.apply #map(%y)
      %sub = memref.subview %A[%2, %3] [32, 32] [1, 1] : memref<128x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
      %sub2 = memref.subview %B[%2, %3] [32, 32] [1, 1] : memref<128x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
      %l1 = memref.alloc() : memref<32x32xf32, 2>
      memref.copy %sub, %l1 : memref<32x32xf32, strided<[128, 1], offset: ?>> to memref<32x32xf32, 2>
      linalg.exp ins(%l1 : memref<32x32xf32, 2>) outs(%l1 : memref<32x32xf32, 2>)
      memref.copy %l1, %sub2 : memref<32x32xf32, 2> to memref<32x32xf32, strided<[128, 1], offset: ?>>
      memref.dealloc %l1 : memref<32x32xf32, 2>
    }
    return
  }
  func.func @forall(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
    scf.forall (%i, %j) in (2, 4) {
      %0 = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %1 = affine.apply affine_map<(d0) -> (d0 * 16)>(%j)
      %sub = memref.subview %A[%0, %1] [32, 16] [1, 1] : memref<64x64xf32> to memref<32x16xf32, strided<[64, 1], offset: ?>>
      %sub2 = memref.subview %B[%0, %1] [32, 16] [1, 1] : memref<64x64xf32> to memref<32x16xf32, strided<[64, 1], offset: ?>>
      %l1 = memref.alloc() : memref<32x16xf32, 2 : i32>
      memref.copy %sub, %l1 : memref<32x16xf32, strided<[64, 1], offset: ?>> to memref<32x16xf32, 2 : i32>
      linalg.add ins(%l1, %l1 : memref<32x16xf32, 2 : i32>, memref<32x16xf32, 2 : i32>) outs(%l1 : memref<32x16xf32, 2 : i32>)
      memref.copy %l1, %sub2 : memref<32x16xf32, 2 : i32> to memref<32x16xf32, strided<[64, 1], offset: ?>>
      memref.dealloc %l1 : memref<32x16xf32, 2 : i32>
    } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
    return
  }
}
