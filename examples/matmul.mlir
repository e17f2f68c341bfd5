// A 128x128x128 matrix multiplication, tiled for a 2 x 2 herd of cores.
//
// The outer scf.parallel walks over 64x64 tiles of C, which live in L2 (memory space 1). The inner one walks over the four
// 32x32 blocks of a tile, which live in L1 (memory space 2); each block goes along K in steps of 32.

#tile = affine_map<(d0) -> (d0 * 64)>
#block = affine_map<(d0) -> (d0 * 32)>

func.func @matmul(%a: memref<128x128xf32>, %b: memref<128x128xf32>, %c: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
    %row = affine.apply #tile(%i)
    %col = affine.apply #tile(%j)
    %a_l3 = memref.subview %a[%row, 0] [64, 128] [1, 1] : memref<128x128xf32> to memref<64x128xf32, strided<[128, 1], offset: ?>>
    %b_l3 = memref.subview %b[0, %col] [128, 64] [1, 1] : memref<128x128xf32> to memref<128x64xf32, strided<[128, 1], offset: ?>>
    %c_l3 = memref.subview %c[%row, %col] [64, 64] [1, 1] : memref<128x128xf32> to memref<64x64xf32, strided<[128, 1], offset: ?>>
    %a_l2 = memref.alloc() : memref<64x128xf32, 1>
    %b_l2 = memref.alloc() : memref<128x64xf32, 1>
    %c_l2 = memref.alloc() : memref<64x64xf32, 1>
    memref.copy %a_l3, %a_l2 : memref<64x128xf32, strided<[128, 1], offset: ?>> to memref<64x128xf32, 1>
    memref.copy %b_l3, %b_l2 : memref<128x64xf32, strided<[128, 1], offset: ?>> to memref<128x64xf32, 1>
    scf.parallel (%x, %y) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
      %r = affine.apply #block(%x)
      %s = affine.apply #block(%y)
      %c_l1 = memref.alloc() : memref<32x32xf32, 2>
      linalg.fill ins(%zero : f32) outs(%c_l1 : memref<32x32xf32, 2>)
      scf.for %k = %c0 to %c128 step %c32 {
        %a_view = memref.subview %a_l2[%r, %k] [32, 32] [1, 1] : memref<64x128xf32, 1> to memref<32x32xf32, strided<[128, 1], offset: ?>, 1>
        %b_view = memref.subview %b_l2[%k, %s] [32, 32] [1, 1] : memref<128x64xf32, 1> to memref<32x32xf32, strided<[64, 1], offset: ?>, 1>
        %a_l1 = memref.alloc() : memref<32x32xf32, 2>
        %b_l1 = memref.alloc() : memref<32x32xf32, 2>
        memref.copy %a_view, %a_l1 : memref<32x32xf32, strided<[128, 1], offset: ?>, 1> to memref<32x32xf32, 2>
        memref.copy %b_view, %b_l1 : memref<32x32xf32, strided<[64, 1], offset: ?>, 1> to memref<32x32xf32, 2>
        linalg.matmul ins(%a_l1, %b_l1 : memref<32x32xf32, 2>, memref<32x32xf32, 2>) outs(%c_l1 : memref<32x32xf32, 2>)
        memref.dealloc %a_l1 : memref<32x32xf32, 2>
        memref.dealloc %b_l1 : memref<32x32xf32, 2>
      }
      %c_view = memref.subview %c_l2[%r, %s] [32, 32] [1, 1] : memref<64x64xf32, 1> to memref<32x32xf32, strided<[64, 1], offset: ?>, 1>
      memref.copy %c_l1, %c_view : memref<32x32xf32, 2> to memref<32x32xf32, strided<[64, 1], offset: ?>, 1>
      memref.dealloc %c_l1 : memref<32x32xf32, 2>
      scf.reduce
    }
    memref.copy %c_l2, %c_l3 : memref<64x64xf32, 1> to memref<64x64xf32, strided<[128, 1], offset: ?>>
    memref.dealloc %a_l2 : memref<64x128xf32, 1>
    memref.dealloc %b_l2 : memref<128x64xf32, 1>
    memref.dealloc %c_l2 : memref<64x64xf32, 1>
    scf.reduce
  }
  return
}
