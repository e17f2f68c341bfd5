// scf.parallel nest 2-level with L2/L1 copies; par-to-launch/herd
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @nest(%a: memref<128x128xi32>, %b: memref<128x128xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    scf.parallel (%i, %j) = (%c0, %c0) to (%c128, %c128) step (%c64, %c64) {
      %s = memref.subview %a[%i, %j] [64, 64] [1, 1] : memref<128x128xi32> to memref<64x64xi32, strided<[128, 1], offset: ?>>
      %d = memref.subview %b[%i, %j] [64, 64] [1, 1] : memref<128x128xi32> to memref<64x64xi32, strided<[128, 1], offset: ?>>
      %l2 = memref.alloc() : memref<64x64xi32, 1>
      memref.copy %s, %l2 : memref<64x64xi32, strided<[128, 1], offset: ?>> to memref<64x64xi32, 1>
      scf.parallel (%x, %y) = (%c0, %c0) to (%c64, %c64) step (%c32, %c32) {
        %sx = memref.subview %l2[%x, %y] [32, 32] [1, 1] : memref<64x64xi32, 1> to memref<32x32xi32, strided<[64, 1], offset: ?>, 1>
        %l1 = memref.alloc() : memref<32x32xi32, 2>
        memref.copy %sx, %l1 : memref<32x32xi32, strided<[64, 1], offset: ?>, 1> to memref<32x32xi32, 2>
        linalg.add ins(%l1, %l1 : memref<32x32xi32, 2>, memref<32x32xi32, 2>) outs(%l1 : memref<32x32xi32, 2>)
        memref.copy %l1, %sx : memref<32x32xi32, 2> to memref<32x32xi32, strided<[64, 1], offset: ?>, 1>
        memref.dealloc %l1 : memref<32x32xi32, 2>
        scf.reduce
      }
      memref.copy %l2, %d : memref<64x64xi32, 1> to memref<64x64xi32, strided<[128, 1], offset: ?>>
      memref.dealloc %l2 : memref<64x64xi32, 1>
      scf.reduce
    }
    return
  }
}
