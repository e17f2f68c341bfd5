// RUN: allo-opt %s --split-input-file --verify-diagnostics

aie.device(npu1) {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @of(%t, MM2S, 0)
  aie.runtime_sequence(%a: memref<4096xi32>) {
    // A constant transfer over the wraps is cut by aie-decompose-large-dma-bd.
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 2, 1024][0, 0, 2048, 1]) {id = 0 : i64, metadata = @of} : memref<4096xi32>
    // A contiguous transfer has no wraps.
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 2, 2048][0, 0, 2048, 1]) {id = 1 : i64, metadata = @of} : memref<4096xi32>
  }
}

// -----

aie.device(npu1) {
  aie.runtime_sequence() {
    // expected-error@+1 {{Repeat count exceeds the [0:255] range}}
    aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 3 : i32, issue_token = true, repeat_count = 256 : i32}
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  aie.runtime_sequence() {
    // expected-error@+1 {{Lock value exceeds the maximum value of 63}}
    aiex.set_lock(%l, 64)
  }
}
