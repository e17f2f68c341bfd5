// RUN: allo-opt %s --aie-substitute-shim-dma-allocations --verify-diagnostics

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 3)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.bd_chain @other(%x: memref<8xi32>) {
    aie.dma_bd(%x : memref<8xi32>, 0, 8)
    aie.end
  }
  aie.runtime_sequence(%a: memref<8xi32>) {
    // expected-error@below {{no shim DMA allocation found for symbol @other in the device (there are: @in, @out)}}
    %0 = aiex.dma_configure_task_for @other {
      aie.dma_bd(%a : memref<8xi32>, 0, 8)
      aie.end
    }
  }
}
