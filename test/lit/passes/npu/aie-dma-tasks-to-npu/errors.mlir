// RUN: allo-opt %s --aie-dma-tasks-to-npu --split-input-file --verify-diagnostics

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 3)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.runtime_sequence(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
    // expected-error@below {{Cannot wait on a BD that is not configured to issue a token; set issue_token = true on the task}}
    aiex.dma_await_task(%0)
  }
}

// -----

// The offset is in elements of 2 bytes, and an address patch in bytes.
aie.device(npu1) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence(%a: memref<2200000064xbf16>) {
    %0 = aiex.dma_configure_task_for @in {
      // expected-error@below {{begins at byte 4,400,000,000 of an argument of the sequence; an address patch holds 32 bits}}
      aie.dma_bd(%a : memref<2200000064xbf16>, 2200000000, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
