// Copies from and to memref.reinterpret_cast of arguments without a rank, as Triton's front end leaves them.
func.func @f(%a: memref<*xf32>, %b: memref<*xf32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<*xf32>, memref<*xf32> {
    air.segment @s args(%u=%x, %v=%y) : memref<*xf32>, memref<*xf32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @h tile (%i, %j) in (%p=%c2, %q=%c1) args(%src=%u, %dst=%v) : memref<*xf32>, memref<*xf32> {
        %c64 = arith.constant 64 : index
        %at = arith.muli %i, %c64 : index
        %from = memref.reinterpret_cast %src to offset: [%at], sizes: [8, 8], strides: [8, 1] : memref<*xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
        %to = memref.reinterpret_cast %dst to offset: [%at], sizes: [8, 8], strides: [8, 1] : memref<*xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
        %m = memref.alloc() : memref<8x8xf32, 2>
        memref.copy %from, %m : memref<8x8xf32, strided<[8, 1], offset: ?>> to memref<8x8xf32, 2>
        memref.copy %m, %to : memref<8x8xf32, 2> to memref<8x8xf32, strided<[8, 1], offset: ?>>
        memref.dealloc %m : memref<8x8xf32, 2>
      }
    }
  }
  return
}
