// RUN: allo-opt %s --aie-decompose-large-dma-bd | filecheck %s

// A free dimension takes a factor; without one the outermost is cut, its pieces on BDs of their own; what fits stays.
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 8][1, 1, 4, 512][0, 0, 1024, 2]) {id = 0 : i64, issue_token = true, metadata = @in}
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 4, 4, 512][0, 8192, 1024, 2]) {id = 1 : i64, metadata = @in}
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 16384][1, 4, 4, 512][0, 8192, 1024, 2]) {id = 4 : i64, issue_token = true, metadata = @in}
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 1023, 2][0, 0, 4, 1]) {id = 2 : i64, metadata = @in}
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 4092][1, 1, 476, 2][0, 0, 4, 1]) {id = 5 : i64, metadata = @in}
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 1023, 2][0, 0, 4, 1]) {id = 3 : i64, metadata = @in}
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 1, 65536][0, 0, 0, 1]) {id = 6 : i64, metadata = @in}
aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @seq(%a : memref<65536xi32>) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 8][1, 1, 1, 2048][0, 0, 0, 2]) {id = 0 : i64, metadata = @in, issue_token = true} : memref<65536xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 2, 4, 2048][0, 32768, 8192, 2]) {id = 1 : i64, metadata = @in, issue_token = true} : memref<65536xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1499, 2][0, 0, 4, 1]) {id = 2 : i64, metadata = @in} : memref<65536xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1023, 2][0, 0, 4, 1]) {id = 3 : i64, metadata = @in} : memref<65536xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 65536][0, 0, 0, 1]) {id = 6 : i64, metadata = @in} : memref<65536xi32>
  }
}
