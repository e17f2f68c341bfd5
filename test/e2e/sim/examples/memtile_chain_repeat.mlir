// A chain of two BDs on the memtile, repeated as a whole; the shim sends by a chain of two as well.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %buf_mem_a = aie.buffer(%t01) {sym_name = "buf_mem_a"} : memref<8xi32>
    %buf_mem_b = aie.buffer(%t01) {sym_name = "buf_mem_b"} : memref<8xi32>
    %buf_core = aie.buffer(%t02) {sym_name = "buf_core"} : memref<16xi32>
    %mp = aie.lock(%t01, 0) {init = 1 : i32}
    %mc = aie.lock(%t01, 1) {init = 0 : i32}
    %cp = aie.lock(%t02, 0) {init = 1 : i32}
    %cc = aie.lock(%t02, 1) {init = 0 : i32}
    aie.flow(%t00, DMA : 0, %t01, DMA : 0)
    aie.flow(%t01, DMA : 0, %t02, DMA : 1)
    aie.flow(%t02, DMA : 1, %t00, DMA : 1)
    %mt = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3, repeat_count = 0)
    ^bb1:
      aie.use_lock(%mp, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf_mem_a : memref<8xi32>, 0, 8)
      aie.use_lock(%mp, Release, 0)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%mp, AcquireGreaterEqual, 0)
      aie.dma_bd(%buf_mem_b : memref<8xi32>, 0, 8)
      aie.use_lock(%mc, Release, 3)
      aie.next_bd ^bb6
    ^bb3:
      %1 = aie.dma_start(MM2S, 0, ^bb4, ^bb6, repeat_count = 2)
    ^bb4:
      aie.use_lock(%mc, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf_mem_a : memref<8xi32>, 0, 8)
      aie.use_lock(%mc, Release, 0)
      aie.next_bd ^bb5
    ^bb5:
      aie.dma_bd(%buf_mem_b : memref<8xi32>, 0, 8, [<size = 4, stride = 1>, <size = 2, stride = 4>])
      aie.next_bd ^bb6
    ^bb6:
      aie.end
    }
    %m = aie.mem(%t02) {
      %0 = aie.dma(S2MM, 1) [{
        aie.use_lock(%cp, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf_core : memref<16xi32>, 0, 16)
        aie.use_lock(%cc, Release, 1)
      }]
      %1 = aie.dma(MM2S, 1) [{
        aie.use_lock(%cc, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf_core : memref<16xi32>, 0, 16)
        aie.use_lock(%cp, Release, 1)
      }]
      aie.end
    }
    aie.runtime_sequence @run(%a : memref<16xi32>, %b : memref<48xi32>) {
      %out = aiex.dma_configure_task(%t00, S2MM, 1) {
        aie.dma_bd(%b : memref<48xi32>, 0, 48) {bd_id = 3 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%out)
      %in = aiex.dma_configure_task(%t00, MM2S, 0) {
        aie.dma_bd(%a : memref<16xi32>, 0, 8) {bd_id = 4 : i32}
        aie.next_bd ^bd1
      ^bd1:
        aie.dma_bd(%a : memref<16xi32>, 8, 8) {bd_id = 5 : i32}
        aie.end
      } {repeat_count = 0 : i32}
      aiex.dma_start_task(%in)
      aiex.dma_await_task(%out)
    }
  }
}
