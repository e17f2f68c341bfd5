// RUN: allo-opt %s --split-input-file --aie-lower-scratchpad-parameters --verify-diagnostics

module {
  aiex.scratchpad_parameter @n : i32
  aie.device(npu1) {
    %t = aie.tile(0, 2)
    aie.core(%t) {
      // expected-error@below {{uses @n on npu1, whose controller has no scratchpad; npu2 has one}}
      %v = aiex.read_scratchpad_parameter @n : i32
      aie.end
    }
  }
}

// -----

module {
  aiex.scratchpad_parameter @n : i32
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    aie.core(%t) {
      // expected-error@below {{reads a parameter that no runtime sequence brings}}
      %v = aiex.read_scratchpad_parameter @n : i32
      aie.end
    }
  }
}

// -----

module {
  aiex.scratchpad_parameter @n : i32 {state_table_idx = 3 : ui8}
  // expected-error@below {{has index 3, as @n has}}
  aiex.scratchpad_parameter @o : i32 {state_table_idx = 3 : ui8}
}

// -----

module {
  aiex.scratchpad_parameter @o : i32
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%s, MM2S, 0)
    aie.runtime_sequence(%a: memref<64xi32>) {
      // expected-error@below {{has offset @o; put aiex.sync_scratchpad_parameters_from_host into the runtime sequence before it}}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 0 : i64, metadata = @in, offset_parameter = @o} : memref<64xi32>
    }
  }
}
