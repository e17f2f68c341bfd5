// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIEX: npu and earlier spellings.

module {
  aie.device(npu1_1col) {
    memref.global "public" @toMem : memref<16xi32>
    memref.global "private" constant @blockwrite_data_0 : memref<8xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
    %tile = aie.tile(0, 0)
    %t2 = aie.tile(0, 2)
    %lk = aie.lock(%t2, 3)
    aie.shim_dma_allocation @toMem(S2MM, 0, 0)
    aie.shim_dma_allocation @of(MM2S, 1, 0) {plio = true}
    aie.shim_dma_allocation @of2 (%tile, MM2S, 1)
    aie.shim_dma_allocation @of3 (%tile, MM2S, 1, <pkt_id = 1, pkt_type = 0>)
    aiex.runtime_sequence(%in : memref<4x2x8xi32>, %buf : memref<32xi32>, %out : memref<64xi32>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c8 = arith.constant 8 : i64
      aiex.npu.dma_memcpy_nd (0, 0, %out[%c0,%c0,%c0,%c0][%c1,%c1,%c1,%c8][%c0,%c0,%c0, %c1]) { metadata = @toMem, id = 1 : i64 } : memref<64xi32>
      aiex.npu.dma_memcpy_nd (%in[0, 2, 0, 0][1, 2, 2, 8][0, 16, 8, 1]) { metadata = @toMem, id = 0 : i64, issue_token = true} : memref<4x2x8xi32>
      aiex.npu.dma_memcpy_nd(%in[0, %c2, 0, 0][1, 2, %c2, 8][0, 16, 8, 1], packet = <pkt_id = 2, pkt_type = 3>) {metadata = @of3, id = 0x2 : i64, burst_length = 64 : i64, d0_zero_before = 0 : i64} : memref<4x2x8xi32>
      aiex.npu.dma_memcpy_nd(0, 0, %in[0, 2, 0, 0][1, 2, 2, 8][0, 16, 8]) { metadata = @toMem, id = 0 : i64} : memref<4x2x8xi32>
      aiex.set_lock(%lk, 5)
      aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
      aiex.npu.dma_wait {symbol = @toMem}
      aiex.npu.dma_wait { symbol = @of }
      aiex.npu.write32 { column = 0 : i32, row = 0 : i32, address = 0xabc00def : ui32, value = 0x42 : ui32 }
      aiex.npu.maskwrite32 { column = 0 : i32, row = 0 : i32, address = 0xabc00def : ui32, value = 0x42 : ui32, mask = 0x7 : ui32 }
      aiex.npu.address_patch { addr = 0x1D004 : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}
      %0 = memref.get_global @blockwrite_data_0 : memref<8xi32>
      aiex.npu.blockwrite (%0) {address = 4321 : ui32} : memref<8xi32>
      aiex.npu.push_queue (0, 0, S2MM:1) {issue_token = true, repeat_count = 0 : i32, bd_id = 3 : i32 }
      aiex.npu.push_queue(0, 0, MM2S : 0) {issue_token = false, repeat_count = 3 : i32, bd_id = 2 : i32}
      aiex.npu.rtp_write(@rtp, 0, 50)
      aiex.npu.rtp_write("rtp", 0, 50)
      aiex.npu.rtp_write(0, 2, 4, 99) {buffer_sym_name = "rtp"}
      aiex.npu.write_rtp(0, 2, 4, -99) {buffer_sym_name = "rtp"}
      aiex.npu.preempt {level = 3 : ui8}
      aiex.npu.load_pdi {device_ref = @dev, id = 1 : i32, size = 0 : i32, address = 0 : ui64}
      aiex.npu.writebd { bd_id = 3 : i32, buffer_length = 32 : i32, buffer_offset = 0 : i32, column = 0 : i32, row = 0 : i32, d0_stride = 0 : i32, d0_size = 8 : i32, d1_stride = 7 : i32, d1_size = 2 : i32, d2_stride = 15 : i32, d2_size = 0 : i32, ddr_id = 2 : i32, enable_packet = 0 : i32, iteration_current = 0 : i32, iteration_stride = 0 : i32, iteration_size = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, lock_rel_id = 0 : i32, lock_rel_val = 0 : i32, next_bd = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, use_next_bd = 0 : i32, valid_bd = 1 : i32, d2_stride2 = 1 : i32}
    }
  }
}

// CHECK: aie.device(npu1_1col) {
// CHECK: memref.global "private" constant @blockwrite_data_0 : memref<8xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
// CHECK: %shim_noc_tile_0_0 = aie.tile(0, 0)
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %lock_0_2 = aie.lock(%tile_0_2, 3)
// CHECK: aie.shim_dma_allocation @toMem(%shim_noc_tile_0_0, S2MM, 0)
// CHECK: aie.shim_dma_allocation @of(%shim_noc_tile_0_0, MM2S, 1) {plio = true}
// CHECK: aie.shim_dma_allocation @of2(%shim_noc_tile_0_0, MM2S, 1)
// CHECK: aie.shim_dma_allocation @of3(%shim_noc_tile_0_0, MM2S, 1, <pkt_type = 0, pkt_id = 1>)
// CHECK: aie.runtime_sequence(%arg0: memref<4x2x8xi32>, %arg1: memref<32xi32>, %arg2: memref<64xi32>) {
// CHECK: aiex.npu.dma_memcpy_nd(%arg2[%c0_i64, %c0_i64, %c0_i64, %c0_i64][%c1_i64, %c1_i64, %c1_i64, %c8_i64][%c0_i64, %c0_i64, %c0_i64, %c1_i64]) {id = 1 : i64, metadata = @toMem} : memref<64xi32>
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 2, 0, 0][1, 2, 2, 8][0, 16, 8, 1]) {id = 0 : i64, issue_token = true, metadata = @toMem} : memref<4x2x8xi32>
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, %c2_i64, 0, 0][1, 2, %c2_i64, 8][0, 16, 8, 1], packet = <pkt_type = 3, pkt_id = 2>) {burst_length = 64 : i64, id = 2 : i64, metadata = @of3} : memref<4x2x8xi32>
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 2, 0, 0][1, 2, 2, 8][0, 16, 8, 1]) {id = 0 : i64, metadata = @toMem} : memref<4x2x8xi32>
// CHECK: aiex.set_lock(%lock_0_2, 5)
// CHECK: aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
// CHECK: aiex.npu.dma_wait {symbol = @toMem}
// CHECK: aiex.npu.dma_wait {symbol = @of}
// CHECK: aiex.npu.write32 {address = 2881490415 : ui32, column = 0 : i32, row = 0 : i32, value = 66 : ui32}
// CHECK: aiex.npu.maskwrite32 {address = 2881490415 : ui32, column = 0 : i32, mask = 7 : ui32, row = 0 : i32, value = 66 : ui32}
// CHECK: aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}
// CHECK: aiex.npu.blockwrite(%0) {address = 4321 : ui32} : memref<8xi32>
// CHECK: aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 3 : i32, issue_token = true, repeat_count = 0 : i32}
// CHECK: aiex.npu.push_queue(0, 0, MM2S : 0) {bd_id = 2 : i32, issue_token = false, repeat_count = 3 : i32}
// CHECK: aiex.npu.rtp_write(@rtp, 0, 50)
// CHECK: aiex.npu.rtp_write(@rtp, 0, 50)
// CHECK: aiex.npu.rtp_write(@rtp, 4, 99)
// CHECK: aiex.npu.rtp_write(@rtp, 4, -99)
// CHECK: aiex.npu.preempt {level = 3 : ui8}
// CHECK: aiex.npu.load_pdi {address = 0 : ui64, device_ref = @dev, id = 1 : i32, size = 0 : i32}
// CHECK: aiex.npu.writebd {bd_id = 3 : i32, buffer_length = 32 : i32, buffer_offset = 0 : i32, column = 0 : i32, d0_size = 8 : i32, d0_stride = 0 : i32, d1_size = 2 : i32, d1_stride = 7 : i32, d2_size = 0 : i32, d2_stride = 15 : i32, d2_stride2 = 1 : i32, ddr_id = 2 : i32, enable_packet = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, lock_rel_id = 0 : i32, lock_rel_val = 0 : i32, next_bd = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, row = 0 : i32, use_next_bd = 0 : i32, valid_bd = 1 : i32}

// GENERIC: "aie.device"() <{device = 5 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 0 : i32}> : () -> index
// GENERIC: "aie.lock"(%1) <{lockID = 3 : i32}> : (index) -> index
// GENERIC: "aie.shim_dma_allocation"(%0) <{channel_dir = 0 : i32, channel_index = 0 : i64, plio = false, sym_name = "toMem"}> : (index) -> ()
// GENERIC: "aie.runtime_sequence"() <{sym_name = "sequence"}> ({
// GENERIC: "aiex.npu.dma_memcpy_nd"(%arg2, %3, %3, %3, %3, %4, %4, %4, %6, %3, %3, %3, %4) <{burst_length = 0 : i64, d0_zero_after = 0 : i64, d0_zero_before = 0 : i64, d1_zero_after = 0 : i64, d1_zero_before = 0 : i64, d2_zero_after = 0 : i64, d2_zero_before = 0 : i64, id = 1 : i64, issue_token = false, metadata = @toMem, static_offsets = array<i64: -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808>, operandSegmentSizes = array<i32: 1, 4, 4, 4>}> : (memref<64xi32>, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> ()
// GENERIC: "aiex.set_lock"(%2) <{value = 5 : i32}> : (index) -> ()
// GENERIC: "aiex.npu.sync"() <{channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}> : () -> ()
// GENERIC: "aiex.npu.dma_wait"() <{symbol = @toMem}> : () -> ()
// GENERIC: "aiex.npu.write32"() <{address = 2881490415 : ui32, column = 0 : i32, row = 0 : i32, value = 66 : ui32}> : () -> ()
// GENERIC: "aiex.npu.maskwrite32"() <{address = 2881490415 : ui32, column = 0 : i32, mask = 7 : ui32, row = 0 : i32, value = 66 : ui32}> : () -> ()
// GENERIC: "aiex.npu.address_patch"() <{addr = 118788 : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}> : () -> ()
// GENERIC: "aiex.npu.blockwrite"(%7) <{address = 4321 : ui32}> : (memref<8xi32>) -> ()
// GENERIC: "aiex.npu.push_queue"() <{bd_id = 3 : i32, channel = 1 : i32, column = 0 : i32, direction = 0 : i32, issue_token = true, repeat_count = 0 : i32, row = 0 : i32}> : () -> ()
// GENERIC: "aiex.npu.rtp_write"() <{buffer = @rtp, index = 0 : ui32, value = 50 : i32}> : () -> ()
// GENERIC: "aiex.npu.preempt"() <{level = 3 : ui8}> : () -> ()
// GENERIC: "aiex.npu.load_pdi"() <{address = 0 : ui64, device_ref = @dev, id = 1 : i32, size = 0 : i32}> : () -> ()
// GENERIC: "aiex.npu.writebd"() <{bd_id = 3 : i32, buffer_length = 32 : i32, buffer_offset = 0 : i32, column = 0 : i32, d0_size = 8 : i32, d0_stride = 0 : i32, d1_size = 2 : i32, d1_stride = 7 : i32, d2_size = 0 : i32, d2_stride = 15 : i32, d2_stride2 = 1 : i32, ddr_id = 2 : i32, enable_packet = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, lock_rel_id = 0 : i32, lock_rel_val = 0 : i32, next_bd = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, row = 0 : i32, use_next_bd = 0 : i32, valid_bd = 1 : i32}> : () -> ()
// GENERIC: "aie.end"() : () -> ()
