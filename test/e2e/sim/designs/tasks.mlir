// Tasks: a chain of two BDs, a repeated task with an iterated BD, a task of the memtile started by the sequence.
module {
  aie.device(npu2_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %buf = aie.buffer(%t01) {sym_name = "buf"} : memref<256xi32>
    %prod = aie.lock(%t01, 0) {init = 1 : i32, sym_name = "prod"}
    %cons = aie.lock(%t01, 1) {init = 0 : i32, sym_name = "cons"}
    aie.flow(%t00, DMA : 0, %t01, DMA : 0)
    aie.flow(%t01, DMA : 1, %t00, DMA : 0)
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<512xi32>, %b : memref<512xi32>) {
      // the memtile's own programs, both run twice
      %fill = aiex.dma_configure_task(%t01, S2MM, 0) {
        aie.use_lock(%prod, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf : memref<256xi32>, 0, 256)
        aie.use_lock(%cons, Release, 1)
        aie.end
      } {repeat_count = 1 : i32}
      %drain = aiex.dma_configure_task(%t01, MM2S, 1) {
        aie.use_lock(%cons, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf : memref<256xi32>, 0, 256)
        aie.use_lock(%prod, Release, 1)
        aie.end
      } {repeat_count = 1 : i32}
      aiex.dma_start_task(%fill)
      aiex.dma_start_task(%drain)
      // 512 words backwards in halves: the second half first
      %0 = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<512xi32>, 256, 256)
        aie.next_bd ^bb1
      ^bb1:
        aie.dma_bd(%a : memref<512xi32>, 0, 256)
        aie.end
      }
      // four rows of 128 words by iteration
      %1 = aiex.dma_configure_task_for @out {
        aie.dma_bd(%b : memref<512xi32>, 0, 128, [<size = 4, stride = 128>, <size = 1, stride = 0>, <size = 1, stride = 0>, <size = 128, stride = 1>])
        aie.end
      } {issue_token = true, repeat_count = 3 : i32}
      aiex.dma_start_task(%0)
      aiex.dma_start_task(%1)
      aiex.dma_await_task(%1)
      aiex.dma_free_task(%0)
      aiex.dma_free_task(%fill)
      aiex.dma_free_task(%drain)
    }
  }
}
