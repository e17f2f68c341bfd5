// RUN: allo-opt %s --aie-decompose-large-dma-bd --split-input-file --verify-diagnostics

aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.runtime_sequence @seq(%a : memref<*xi32>) {
    %t = aiex.dma_configure_task(%s, MM2S, 0) {
      // expected-error@below {{needs a chain of 20 BDs, and a shim tile has 16; move less in a task}}
      aie.dma_bd(%a : memref<*xi32> offset = 0 len = 40022 sizes = [20011, 2] strides = [4, 1])
      aie.end
    }
  }
}

// -----

aie.device(npu2) {
  %s = aie.tile(0, 0)
  %p = aie.lock(%s, 0) {init = 1 : i32}
  aie.runtime_sequence @seq(%a : memref<8192xi32>) {
    %t = aiex.dma_configure_task(%s, MM2S, 0) {
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      // expected-error@below {{needs 2 BDs, and takes locks, which each of them would take; move less in a BD}}
      aie.dma_bd(%a : memref<8192xi32> offset = 0 len = 2998 sizes = [1499, 2] strides = [4, 1])
      aie.use_lock(%p, Release, 1)
      aie.end
    }
  }
}
