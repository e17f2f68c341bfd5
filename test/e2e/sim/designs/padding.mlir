// The memtile pads a 6 x 8 matrix of i32 with a frame of zeros to 9 x 14; an iterated transfer feeds two of them.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %buf = aie.buffer(%t01) {sym_name = "plain"} : memref<6x8xi32>
    %prod = aie.lock(%t01, 0) {init = 1 : i32, sym_name = "prod"}
    %cons = aie.lock(%t01, 1) {init = 0 : i32, sym_name = "cons"}
    aie.flow(%t00, DMA : 0, %t01, DMA : 0)
    aie.flow(%t01, DMA : 0, %t00, DMA : 0)
    %mt = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<6x8xi32>, 0, 48)
      aie.use_lock(%cons, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<6x8xi32>, 0, 126, [<size = 6, stride = 8>, <size = 8, stride = 1>], [<const_pad_before = 1, const_pad_after = 2>, <const_pad_before = 2, const_pad_after = 4>])
      aie.use_lock(%prod, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<2x10x8xi32>, %b : memref<2x9x14xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 2, 0][2, 1, 6, 8][80, 0, 8, 1]) {id = 0 : i64, metadata = @in} : memref<2x10x8xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 252][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<2x9x14xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
