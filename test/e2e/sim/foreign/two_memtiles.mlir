// A memtile writes its eastern neighbour's buffer under the neighbour's locks; the neighbour sends it on (adjacent memtile access).
module {
  aie.device(npu1_2col) {
    %s0 = aie.tile(0, 0)
    %s1 = aie.tile(1, 0)
    %m0 = aie.tile(0, 1)
    %m1 = aie.tile(1, 1)
    %east = aie.buffer(%m1) {sym_name = "east"} : memref<64xi32>
    %p = aie.lock(%m1, 10) {init = 1 : i32, sym_name = "p"}
    %c = aie.lock(%m1, 11) {init = 0 : i32, sym_name = "c"}
    aie.flow(%s0, DMA : 0, %m0, DMA : 1)
    aie.flow(%m1, DMA : 0, %s1, DMA : 0)
    %d0 = aie.memtile_dma(%m0) {
      %0 = aie.dma_start(S2MM, 1, ^bd, ^end)
    ^bd:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%east : memref<64xi32>, 0, 64, [<size = 8, stride = 1>, <size = 8, stride = 8>])
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^bd
    ^end:
      aie.end
    }
    %d1 = aie.memtile_dma(%m1) {
      %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      aie.dma_bd(%east : memref<64xi32>, 0, 64)
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^bd
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @in(%s0, MM2S, 0)
    aie.shim_dma_allocation @out(%s1, S2MM, 0)
    aie.runtime_sequence(%x : memref<3x8x8xi32>, %y : memref<3x8x8xi32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 3, 8, 8][192, 64, 8, 1]) {id = 0 : i64, metadata = @in} : memref<3x8x8xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 3, 8, 8][192, 64, 8, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<3x8x8xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
