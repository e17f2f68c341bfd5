// The memtile sends 255 of the 256 words of each chunk.
// EXPECT kind=deadlock tile=(0,0) channel=S2MM:0 says=counts differ
module {
  aie.device(npu1_1col) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %prod = aie.lock(%tile_0_1, 0) {init = 1 : i32, sym_name = "prod_lock"}
    %cons = aie.lock(%tile_0_1, 1) {init = 0 : i32, sym_name = "cons_lock"}
    %buf = aie.buffer(%tile_0_1) {sym_name = "chunk"} : memref<256xi32>

    aie.flow(%tile_0_0, DMA : 0, %tile_0_1, DMA : 0)
    aie.flow(%tile_0_1, DMA : 0, %tile_0_0, DMA : 0)

    %dma = aie.memtile_dma(%tile_0_1) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<256xi32>, 0, 256)
      aie.use_lock(%cons, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<256xi32>, 0, 255)
      aie.use_lock(%prod, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }

    aie.shim_dma_allocation @in (%tile_0_0, MM2S, 0)
    aie.shim_dma_allocation @out (%tile_0_0, S2MM, 0)
    aie.runtime_sequence(%a : memref<1024xi32>, %b : memref<1024xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 1024][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<1024xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 1024][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<1024xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
