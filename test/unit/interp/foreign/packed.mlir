// packed matmul 4d L2->L1 strided; bf16
module {
  func.func @packed(%arg0: memref<64x64xbf16>, %arg1: memref<16x16x4x4xbf16>) {
    %c1 = arith.constant 1 : index
    air.launch (%lx) in (%ls=%c1) args(%a=%arg0, %b=%arg1) : memref<64x64xbf16>, memref<16x16x4x4xbf16> {
      air.segment @s args(%aa=%a, %bb=%b) : memref<64x64xbf16>, memref<16x16x4x4xbf16> {
        %c1_0 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %l2 = memref.alloc() : memref<1x1x64x64xbf16, 1 : i32>
        air.dma_memcpy_nd (%l2[] [] [], %aa[] [] []) {id = 1 : i32} : (memref<1x1x64x64xbf16, 1 : i32>, memref<64x64xbf16>)
        air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2, %o=%bb) : memref<1x1x64x64xbf16, 1 : i32>, memref<16x16x4x4xbf16> {
          %c0 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %c8 = arith.constant 8 : index
          %c16 = arith.constant 16 : index
          %c32 = arith.constant 32 : index
          %c64 = arith.constant 64 : index
          %c256 = arith.constant 256 : index
          %r = arith.muli %x, %c32 : index
          %c = arith.muli %y, %c32 : index
          %l1 = memref.alloc() : memref<1x1x8x8x4x4xbf16, 2 : i32>
          air.dma_memcpy_nd (%l1[] [] [], %m[%c0, %c0, %r, %c] [%c8, %c8, %c4, %c4] [%c256, %c4, %c64, %c1_1]) {id = 2 : i32} : (memref<1x1x8x8x4x4xbf16, 2 : i32>, memref<1x1x64x64xbf16, 1 : i32>)
          %r8 = arith.muli %x, %c8 : index
          %c8y = arith.muli %y, %c8 : index
          air.dma_memcpy_nd (%o[%r8, %c8y, %c0, %c0] [%c8, %c8, %c4, %c4] [%c256, %c16, %c4, %c1_1], %l1[] [] []) {id = 3 : i32} : (memref<16x16x4x4xbf16>, memref<1x1x8x8x4x4xbf16, 2 : i32>)
          memref.dealloc %l1 : memref<1x1x8x8x4x4xbf16, 2 : i32>
        }
        memref.dealloc %l2 : memref<1x1x64x64xbf16, 1 : i32>
      }
    }
    return
  }
}
