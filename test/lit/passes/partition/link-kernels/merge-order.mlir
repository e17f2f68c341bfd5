// RUN: allo-opt --link-kernels %s | filecheck %s

// Beside @narrow there is no room for @wide, except for @later, which does not need @wide: it goes first, and no load is its own.
// @last needs @wide.

// CHECK:      aie.device(npu1) @shared_0 {
// CHECK:        aie.runtime_sequence @narrow(
// CHECK:        aie.runtime_sequence @later(
// CHECK:      aie.runtime_sequence @f(
// CHECK:        aiex.configure @shared_0 {
// CHECK-NEXT:     aiex.run @narrow(
// CHECK-NEXT:     aiex.run @later(
// CHECK-NEXT:   }
// CHECK-NEXT:   aiex.configure @wide_0 {
// CHECK-NEXT:     aiex.run @wide(
// CHECK-NEXT:   }
// CHECK-NEXT:   aiex.configure @last_0 {
// CHECK-NEXT:     aiex.run @last(
// CHECK-NEXT:   }
aie.device(npu1) @narrow_0 {
  %t = aie.tile(0, 0)
  %c = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.runtime_sequence @narrow(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
  }
}
aie.device(npu1) @wide_0 {
  %t = aie.tile(0, 0)
  %c = aie.tile(0, 2)
  %u = aie.tile(3, 2)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.runtime_sequence @wide(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
  }
}
aie.device(npu1) @later_0 {
  %t = aie.tile(0, 0)
  %c = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.runtime_sequence @later(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
  }
}
aie.device(npu1) @last_0 {
  %t = aie.tile(0, 0)
  %k = aie.tile(0, 2)
  %u = aie.tile(2, 2)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.runtime_sequence @last(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 2 : i64, metadata = @in} : memref<64xi32>
  }
}
func.func private @narrow(memref<64xi32>, memref<64xi32>)
func.func private @wide(memref<64xi32>, memref<64xi32>)
func.func private @later(memref<64xi32>, memref<64xi32>)
func.func private @last(memref<64xi32>, memref<64xi32>, memref<64xi32>)
func.func @f(%x: memref<64xi32>, %y: memref<64xi32>) {
  %t = memref.alloc() : memref<64xi32>
  %u = memref.alloc() : memref<64xi32>
  %v = memref.alloc() : memref<64xi32>
  call @narrow(%x, %t) : (memref<64xi32>, memref<64xi32>) -> ()
  call @wide(%t, %u) : (memref<64xi32>, memref<64xi32>) -> ()
  call @later(%t, %v) : (memref<64xi32>, memref<64xi32>) -> ()
  call @last(%u, %v, %y) : (memref<64xi32>, memref<64xi32>, memref<64xi32>) -> ()
  return
}
