// hoist-dma in accum, sync in herd with scf.for
module {
  func.func @accum(%arg0: memref<32x64xi32>, %arg1: memref<64x32xi32>, %arg2: memref<32x32xi32>) {
    %c1 = arith.constant 1 : index
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%arg0, %b=%arg1, %c=%arg2) : memref<32x64xi32>, memref<64x32xi32>, memref<32x32xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      scf.for %k = %c0 to %c64 step %c16 {
        %la = memref.alloc() : memref<32x16xi32, 2>
        %lb = memref.alloc() : memref<16x32xi32, 2>
        %lc = memref.alloc() : memref<32x32xi32, 2>
        air.dma_memcpy_nd (%la[] [] [], %a[%c0, %k] [%c32, %c16] [%c64, %c1_0]) {id = 1 : i32} : (memref<32x16xi32, 2>, memref<32x64xi32>)
        air.dma_memcpy_nd (%lb[] [] [], %b[%k, %c0] [%c16, %c32] [%c32, %c1_0]) {id = 2 : i32} : (memref<16x32xi32, 2>, memref<64x32xi32>)
        air.dma_memcpy_nd (%lc[] [] [], %c[] [] []) {id = 3 : i32} : (memref<32x32xi32, 2>, memref<32x32xi32>)
        linalg.matmul ins(%la, %lb : memref<32x16xi32, 2>, memref<16x32xi32, 2>) outs(%lc : memref<32x32xi32, 2>)
        air.dma_memcpy_nd (%c[] [] [], %lc[] [] []) {id = 4 : i32} : (memref<32x32xi32>, memref<32x32xi32, 2>)
        memref.dealloc %la : memref<32x16xi32, 2>
        memref.dealloc %lb : memref<16x32xi32, 2>
        memref.dealloc %lc : memref<32x32xi32, 2>
      }
    }
    return
  }
}
