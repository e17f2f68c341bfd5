// A file of mid 2024: aiex.runtime_sequence, shim allocations by column, a sync of one tile, aie.dma with its own BDs, no lock numbers.
module @old {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %core = aie.tile(0, 2)
    %buf = aie.buffer(%core) {sym_name = "buf"} : memref<32xi32>
    %empty = aie.lock(%core) {init = 1 : i32}
    %full = aie.lock(%core) {init = 0 : i32}
    aie.flow(%shim, DMA : 0, %core, DMA : 0)
    aie.flow(%core, DMA : 1, %shim, DMA : 1)
    aie.shim_dma_allocation @in(MM2S, 0, 0)
    aie.shim_dma_allocation @out(S2MM, 1, 0)
    aie.mem(%core) {
      aie.dma(S2MM, 0) [{
        aie.use_lock(%empty, AcquireGreaterEqual)
        aie.dma_bd(%buf : memref<32xi32>, 0, 32)
        aie.use_lock(%full, Release)
      }]
      aie.dma(MM2S, 1) {loop = true, repeat_count = 0 : i32} [{
        aie.use_lock(%full, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf : memref<32xi32>, 0, 32)
        aie.use_lock(%empty, Release, 1)
      }]
      aie.end
    }
    aiex.runtime_sequence(%a : memref<128xi32>, %b : memref<128xi32>) {
      aiex.npu.dma_memcpy_nd(0, 0, %b[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<128xi32>
      aiex.npu.dma_memcpy_nd(0, 0, %a[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<128xi32>
      aiex.npu.sync {channel = 1 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
    }
  }
}
