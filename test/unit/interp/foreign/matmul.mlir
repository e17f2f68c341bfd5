// dma in herd, sync, par style (air-dependency)
#map = affine_map<()[s0] -> (s0 * 32)>
module {
  func.func @matmul(%arg0: memref<64x64xi32>, %arg1: memref<64x64xi32>) -> memref<64x64xi32> {
    %c0_i32 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %0 = memref.alloc() {alignment = 128 : i64} : memref<64x64xi32>
    linalg.fill ins(%c0_i32 : i32) outs(%0 : memref<64x64xi32>)
    %1 = memref.alloc() {alignment = 128 : i64} : memref<64x64xi32>
    memref.copy %0, %1 : memref<64x64xi32> to memref<64x64xi32>
    air.herd @herd_0 tile (%arg2, %arg3) in (%arg4=%c2, %arg5=%c2) args(%arg6=%arg0, %arg7=%arg1, %arg8=%1) : memref<64x64xi32>, memref<64x64xi32>, memref<64x64xi32> {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c64_0 = arith.constant 64 : index
      %c32 = arith.constant 32 : index
      %2 = affine.apply #map()[%arg2]
      %3 = affine.apply #map()[%arg3]
      scf.for %arg9 = %c0 to %c64_0 step %c32 {
        %4 = memref.alloc() : memref<32x32xi32, 2>
        %5 = memref.alloc() : memref<32x32xi32, 2>
        %6 = memref.alloc() : memref<32x32xi32, 2>
        air.dma_memcpy_nd (%4[] [] [], %arg6[%2, %arg9] [%c32, %c32] [%c64_0, %c1]) {id = 1 : i32} : (memref<32x32xi32, 2>, memref<64x64xi32>)
        air.dma_memcpy_nd (%5[] [] [], %arg7[%arg9, %3] [%c32, %c32] [%c64_0, %c1]) {id = 2 : i32} : (memref<32x32xi32, 2>, memref<64x64xi32>)
        air.dma_memcpy_nd (%6[] [] [], %arg8[%2, %3] [%c32, %c32] [%c64_0, %c1]) {id = 3 : i32} : (memref<32x32xi32, 2>, memref<64x64xi32>)
        linalg.matmul ins(%4, %5 : memref<32x32xi32, 2>, memref<32x32xi32, 2>) outs(%6 : memref<32x32xi32, 2>)
        air.dma_memcpy_nd (%arg8[%2, %3] [%c32, %c32] [%c64_0, %c1], %6[] [] []) {id = 4 : i32} : (memref<64x64xi32>, memref<32x32xi32, 2>)
        memref.dealloc %4 : memref<32x32xi32, 2>
        memref.dealloc %5 : memref<32x32xi32, 2>
        memref.dealloc %6 : memref<32x32xi32, 2>
      }
      air.herd_terminator
    }
    return %1 : memref<64x64xi32>
  }
}
