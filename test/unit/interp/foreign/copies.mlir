// copy-to-dma with subviews, expand shapes, rank reducing
module {
  func.func @copies(%arg0: memref<4x64x64xf32>, %arg1: memref<64x64xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%arg0, %b=%arg1) : memref<4x64x64xf32>, memref<64x64xf32> {
      %c32 = arith.constant 32 : index
      %i = arith.muli %x, %c32 : index
      %j = arith.muli %y, %c32 : index
      %s = memref.subview %a[%x, %i, %j] [1, 32, 32] [1, 1, 1] : memref<4x64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      %l = memref.alloc() : memref<32x32xf32, 2>
      %l2 = memref.alloc() : memref<8x4x32xf32, 2>
      memref.copy %s, %l : memref<32x32xf32, strided<[64, 1], offset: ?>> to memref<32x32xf32, 2>
      %e = memref.expand_shape %l [[0, 1], [2]] output_shape [8, 4, 32] : memref<32x32xf32, 2> into memref<8x4x32xf32, 2>
      memref.copy %e, %l2 : memref<8x4x32xf32, 2> to memref<8x4x32xf32, 2>
      %cs = memref.collapse_shape %l2 [[0, 1], [2]] : memref<8x4x32xf32, 2> into memref<32x32xf32, 2>
      %t = memref.transpose %cs (d0, d1) -> (d1, d0) : memref<32x32xf32, 2> to memref<32x32xf32, strided<[1, 32]>, 2>
      %d = memref.subview %b[%i, %j] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      memref.copy %t, %d : memref<32x32xf32, strided<[1, 32]>, 2> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      memref.dealloc %l : memref<32x32xf32, 2>
      memref.dealloc %l2 : memref<8x4x32xf32, 2>
    }
    return
  }
}
