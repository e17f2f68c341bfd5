// What sequences of others hold that means nothing to the device, arrays longer than declared, one behind the last argument, a
// descriptor of an argument that is never given and never moves, and a task on a channel that no flow leaves.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    aie.flow(%t00, DMA : 0, %t01, DMA : 0)
    aie.flow(%t01, DMA : 0, %t00, DMA : 0)
    aie.flow(%t01, DMA : 0, %t00, DMA : 1)
    %buf = aie.buffer(%t01) {sym_name = "buf"} : memref<32xi32>
    %p = aie.lock(%t01, 0) {init = 1 : i32}
    %c = aie.lock(%t01, 1) {init = 0 : i32}
    %m = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<32xi32>, 0, 32)
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<32xi32>, 0, 32)
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in(%t00, MM2S, 0)
    aie.shim_dma_allocation @unused(%t00, MM2S, 1)
    aie.shim_dma_allocation @out(%t00, S2MM, 0)
    func.func private @host_helper(index) -> index
    aie.runtime_sequence @seq(%a: memref<16xi32>, %b: memref<32xi32>) {
      %c7 = arith.constant 7 : index
      %dead = affine.apply affine_map<(d0) -> (d0 * 4)>(%c7)
      %dim = memref.dim %a, %c7 : memref<16xi32>
      %al = memref.assume_alignment %a, 64 : memref<16xi32>
      memref.assume_alignment %b, 64 : memref<32xi32>
      %cast = memref.cast %b : memref<32xi32> to memref<?xi32>
      %u = builtin.unrealized_conversion_cast %b : memref<32xi32> to memref<32xf32>
      %tmp = memref.alloc() : memref<4xi32>
      aiex.npu.writebd {bd_id = 7 : i32, buffer_length = 64 : i32, buffer_offset = 0 : i32, burst_length = 0 : i32, column = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d0_zero_after = 0 : i32, d0_zero_before = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d1_zero_after = 0 : i32, d1_zero_before = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, d2_zero_after = 0 : i32, d2_zero_before = 0 : i32, enable_packet = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, lock_rel_id = 0 : i32, lock_rel_val = 0 : i32, next_bd = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, row = 0 : i32, use_next_bd = 0 : i32, valid_bd = 1 : i32}
      aiex.npu.address_patch {addr = 119012 : ui32, arg_idx = 5 : i32, arg_plus = 0 : i32}
      aiex.npu.writebd {bd_id = 8 : i32, buffer_length = 32 : i32, buffer_offset = 0 : i32, burst_length = 0 : i32, column = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d0_zero_after = 0 : i32, d0_zero_before = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d1_zero_after = 0 : i32, d1_zero_before = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, d2_zero_after = 0 : i32, d2_zero_before = 0 : i32, enable_packet = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, lock_rel_id = 0 : i32, lock_rel_val = 0 : i32, next_bd = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, row = 0 : i32, use_next_bd = 0 : i32, valid_bd = 1 : i32}
      aiex.npu.address_patch {addr = 119044 : ui32, arg_idx = 2 : i32, arg_plus = 64 : i32}
      aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 8 : i32, issue_token = true, repeat_count = 0 : i32}
      aiex.npu.dma_memcpy_nd(%al[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 3 : i64, metadata = @unused} : memref<16xi32>
      aiex.npu.dma_memcpy_nd(%cast[0, 0, 0, 32][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<?xi32>
      aiex.npu.dma_memcpy_nd(%al[0, 0, 0, 16][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.sync {channel = 1 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
      memref.dealloc %tmp : memref<4xi32>
    }
  }
}
