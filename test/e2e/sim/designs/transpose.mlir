// A 16 x 24 matrix of i32 transposed by the dimensions of a BD, in two ways: the shim's, and the memtile's.
module {
  aie.device(npu1_2col) {
    %t00 = aie.tile(0, 0)
    %t10 = aie.tile(1, 0)
    %t01 = aie.tile(0, 1)
    %t11 = aie.tile(1, 1)
    %m0 = aie.buffer(%t01) {sym_name = "plain"} : memref<16x24xi32>
    %m1 = aie.buffer(%t11) {sym_name = "turned"} : memref<16x24xi32>
    %p0 = aie.lock(%t01, 0) {init = 1 : i32, sym_name = "plain_prod"}
    %c0 = aie.lock(%t01, 1) {init = 0 : i32, sym_name = "plain_cons"}
    %p1 = aie.lock(%t11, 0) {init = 1 : i32, sym_name = "turned_prod"}
    %c1 = aie.lock(%t11, 1) {init = 0 : i32, sym_name = "turned_cons"}
    aie.flow(%t00, DMA : 0, %t01, DMA : 0)
    aie.flow(%t01, DMA : 0, %t00, DMA : 0)
    aie.flow(%t10, DMA : 0, %t11, DMA : 0)
    aie.flow(%t11, DMA : 0, %t10, DMA : 0)
    %d0 = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p0, AcquireGreaterEqual, 1)
      aie.dma_bd(%m0 : memref<16x24xi32>, 0, 384)
      aie.use_lock(%c0, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%c0, AcquireGreaterEqual, 1)
      aie.dma_bd(%m0 : memref<16x24xi32>, 0, 384)
      aie.use_lock(%p0, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    %d1 = aie.memtile_dma(%t11) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p1, AcquireGreaterEqual, 1)
      aie.dma_bd(%m1 : memref<16x24xi32>, 0, 384)
      aie.use_lock(%c1, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%c1, AcquireGreaterEqual, 1)
      aie.dma_bd(%m1 : memref<16x24xi32>, 0, 384, [<size = 24, stride = 1>, <size = 16, stride = 24>])
      aie.use_lock(%p1, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in0 (%t00, MM2S, 0)
    aie.shim_dma_allocation @out0 (%t00, S2MM, 0)
    aie.shim_dma_allocation @in1 (%t10, MM2S, 0)
    aie.shim_dma_allocation @out1 (%t10, S2MM, 0)
    aie.runtime_sequence(%a : memref<16x24xi32>, %b : memref<24x16xi32>, %c : memref<24x16xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 24, 16][0, 0, 1, 24]) {id = 0 : i64, metadata = @in0} : memref<16x24xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 384][0, 0, 0, 1]) {id = 1 : i64, metadata = @out0, issue_token = true} : memref<24x16xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 384][0, 0, 0, 1]) {id = 0 : i64, metadata = @in1} : memref<16x24xi32>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 384][0, 0, 0, 1]) {id = 1 : i64, metadata = @out1, issue_token = true} : memref<24x16xi32>
      aiex.npu.dma_wait {symbol = @out0}
      aiex.npu.dma_wait {symbol = @out1}
    }
  }
}
