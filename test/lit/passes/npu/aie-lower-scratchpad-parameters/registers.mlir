// RUN: allo-opt %s --aie-lower-scratchpad-parameters --aie-dma-tasks-to-npu --aie-dma-to-npu | filecheck %s

// The address of a BD is moved once it is written: by four bytes for each element of i32, by two for bf16.

// CHECK: aiex.npu.create_scratchpad {size = 4 : ui32}
// CHECK: aiex.npu.blockwrite
// CHECK: aiex.npu.address_patch
// CHECK: aiex.npu.update_from_scratchpad<mul> {address = 118788 : ui32, func_arg = 4 : ui32, state_table_idx = 0 : ui8}
// CHECK: aiex.npu.blockwrite
// CHECK: aiex.npu.address_patch
// CHECK: aiex.npu.update_from_scratchpad<mul> {address = 118820 : ui32, func_arg = 2 : ui32, state_table_idx = 0 : ui8}
module {
  aiex.scratchpad_parameter @o : i32
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%s, MM2S, 0)
    aie.shim_dma_allocation @more(%s, MM2S, 1)
    aie.runtime_sequence(%a: memref<64xi32>, %b: memref<64xbf16>) {
      aiex.sync_scratchpad_parameters_from_host
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 0 : i64, metadata = @in, offset_parameter = @o} : memref<64xi32>
      %t = aiex.dma_configure_task_for @more {
        aie.dma_bd(%b : memref<64xbf16> offset = 0 len = 16) {bd_id = 1 : i32, offset_parameter = @o}
        aie.end
      }
      aiex.dma_start_task(%t)
    }
  }
}
