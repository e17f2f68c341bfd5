// memref.subview and memref.copy inside a herd of a plain loop nest; par-to-herd's usual input, with a remainder by affine.min.
#min = affine_map<(d0) -> (-d0 + 20, 8)>
func.func @subviews(%arg0: memref<20x16xf32>, %arg1: memref<20x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c20, %c16) step (%c8, %c8) {
    %n = affine.min #min(%i)
    %s = memref.subview %arg0[%i, %j] [%n, 8] [1, 1] : memref<20x16xf32> to memref<?x8xf32, strided<[16, 1], offset: ?>>
    %d = memref.subview %arg1[%i, %j] [%n, 8] [1, 1] : memref<20x16xf32> to memref<?x8xf32, strided<[16, 1], offset: ?>>
    %l = memref.alloc() : memref<8x8xf32, 2>
    %v = memref.subview %l[0, 0] [%n, 8] [1, 1] : memref<8x8xf32, 2> to memref<?x8xf32, strided<[8, 1]>, 2>
    memref.copy %s, %v : memref<?x8xf32, strided<[16, 1], offset: ?>> to memref<?x8xf32, strided<[8, 1]>, 2>
    %two = arith.constant 2.0 : f32
    scf.for %a = %c0 to %n step %c1 {
      scf.for %b = %c0 to %c8 step %c1 {
        %x = memref.load %v[%a, %b] : memref<?x8xf32, strided<[8, 1]>, 2>
        %y = arith.mulf %x, %two : f32
        memref.store %y, %v[%a, %b] : memref<?x8xf32, strided<[8, 1]>, 2>
      }
    }
    memref.copy %v, %d : memref<?x8xf32, strided<[8, 1]>, 2> to memref<?x8xf32, strided<[16, 1], offset: ?>>
    memref.dealloc %l : memref<8x8xf32, 2>
    scf.reduce
  }
  return
}
