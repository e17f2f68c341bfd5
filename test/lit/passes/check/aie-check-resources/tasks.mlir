// RUN: allo-opt %s --split-input-file --aie-check-resources --verify-diagnostics

// Six tasks in flight on one channel, of which one runs; after an await there is room again.
aie.device(npu1) {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in (%t, MM2S, 0)
  aie.runtime_sequence(%a: memref<1024xi32>) {
    %0 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<1024xi32>, 0, 64) aie.end } {issue_token = true}
    aiex.dma_start_task(%0)
    %1 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<1024xi32>, 64, 64) aie.end }
    aiex.dma_start_task(%1)
    %2 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<1024xi32>, 128, 64) aie.end }
    aiex.dma_start_task(%2)
    %3 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<1024xi32>, 192, 64) aie.end }
    aiex.dma_start_task(%3)
    %4 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<1024xi32>, 256, 64) aie.end }
    aiex.dma_start_task(%4)
    %5 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<1024xi32>, 320, 64) aie.end }
    // expected-warning@+1 {{'aiex.dma_start_task' op shim tile (0,0): task 6 in flight on MM2S 0, whose queue holds 4 besides the running one}}
    aiex.dma_start_task(%5)
    aiex.dma_await_task(%0)
    aiex.dma_free_task(%1)
    %6 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<1024xi32>, 384, 64) aie.end }
    aiex.dma_start_task(%6)
  }
}

// -----

// Halves of words that are not neighbours, a dimension that stays in place, and a memtile's task, whose fourth is the iteration.
aie.device(npu1) {
  %t = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) : memref<65x64xi32>
  aie.shim_dma_allocation @in (%t, MM2S, 0)
  aie.runtime_sequence(%a: memref<1024xbf16>) {
    %0 = aiex.dma_configure_task_for @in {
      // expected-error@+2 {{dimension 0 (the innermost) has stride 2; a DMA moves elements of 16 bits in runs: expected 1}}
      // expected-error@+1 {{dimension 1 (innermost is 0) steps 0 elements; a DMA steps forwards}}
      aie.dma_bd(%a : memref<1024xbf16>, 0, 64, [<size = 4, stride = 0>, <size = 16, stride = 2>])
      aie.end
    }
    %1 = aiex.dma_configure_task(%m, MM2S, 0) {
      // expected-error@+1 {{memtile (0,1): iterates 65 times, the 6-bit iteration holds 64}}
      aie.dma_bd(%b : memref<65x64xi32>, 0, 16, [<size = 65, stride = 64>, <size = 2, stride = 32>, <size = 2, stride = 16>, <size = 4, stride = 2>])
      aie.end
    }
  }
}

// -----

// An iteration of 65 where the field holds 64, and a repeat count that does not fit.
aie.device(npu1) {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in (%t, MM2S, 0)
  aie.runtime_sequence(%a: memref<65x64x32x32xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      // expected-error@+1 {{'aie.dma_bd' op shim tile (0,0): iterates 65 times, the 6-bit iteration holds 64; split the transfer into several tasks}}
      aie.dma_bd(%a : memref<65x64x32x32xi32>, 0, 64, [<size = 65, stride = 65536>, <size = 2, stride = 1024>, <size = 4, stride = 32>, <size = 8, stride = 1>])
      aie.end
    } {repeat_count = 64 : i32}
    // expected-error@+1 {{'aiex.dma_configure_task_for' op shim tile (0,0): repeat_count 256 exceeds 255 (8 bits); split the task}}
    %1 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<65x64x32x32xi32>, 0, 64) aie.end } {repeat_count = 256 : i32}
  }
}
