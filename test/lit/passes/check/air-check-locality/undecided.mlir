// RUN: allo-opt %s --split-input-file --air-check-locality --verify-diagnostics

// An offset that only the caller knows: the parts may meet.
func.func @offset(%l3: memref<64xi32>, %n: index) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%m=%l3, %k=%n) : memref<64xi32>, index {
    %one = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %o = arith.muli %x, %k : index
    %l1 = memref.alloc() : memref<8xi32, 2>
    // expected-remark@+1 {{'air.dma_memcpy_nd' op not decided: whether it meets air.dma_memcpy_nd of @h (0, 0) writes in argument 0 (memref<64xi32>)}}
    air.dma_memcpy_nd (%m[%o] [%c8] [%one], %l1[] [] []) : (memref<64xi32>, memref<8xi32, 2>)
  }
  return
}
