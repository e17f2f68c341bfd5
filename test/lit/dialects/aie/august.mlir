// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// What is new in August 2026: run-time values, resets, scratchpad parameters, the host's part of a trace.

module {
  aie.device(npu2) {
    aiex.scratchpad_parameter @n : i32
    aiex.scratchpad_parameter @o : bf16 {kind = 0 : i32, state_table_idx = 3 : ui8}
    %t = aie.tile(0, 2)
    %s = aie.tile(0, 0)
    %l = aie.lock(%t, 0) {init = 1 : i32, sym_name = "l"}
    %b = aie.buffer(%t) {aligned = false, sym_name = "b"} : memref<64xi32>
    %m = aie.mem(%t) {
      %one = arith.constant 1 : i32
      %0 = aie.dma_start(MM2S, 0, ^bd, ^end) {pad_value = 7 : i32}
    ^bd:
      aie.use_lock(%l, AcquireGreaterEqual, %one)
      aie.dma_bd(%b : memref<64xi32> offset = 8 len = 32 sizes = [4, 8] strides = [8, 1]) {iteration = #aie.bd_iteration<size = 2, stride = 16, current = 1>}
      aie.use_lock(%l, Release, %one)
      aie.next_bd ^bd
    ^end:
      aie.end
    }
    %core = aie.core(%t) {
      %v = aiex.read_scratchpad_parameter @n : i32
      aie.use_lock(%l, AcquireGreaterEqual, %v)
      aie.end
    } {emit_parameter_sync_preamble = true, link_files = ["a.o"], link_merge_files = ["f.ll"]}
    aie.objectfifo_rearm_binding @of_rearm channels(%t : index) locks(%l, %l : index, index) {channel_dirs = array<i32: 0>, channel_indices = array<i32: 0>, lock_inits = array<i32: 2, 0>, head_bd_ids = array<i32: 5>, repeat_counts = array<i32: 0>}
    aie.objectfifo_rearm_binding @none_rearm channels() locks() {channel_dirs = array<i32>, channel_indices = array<i32>, lock_inits = array<i32>}
    aie.trace @tr(%t) {
      aie.trace.packet type=core
    }
    aie.runtime_sequence @seq(%a: memref<4096xi32>, %n: i32, %i: i64) attributes {emit_parameter_sync_preamble = false} {
      aie.trace.host_config {buffer_size = 65536 : i32, egress_shim_col = 1 : i32, reuse_output_buffer = true}
      aiex.sync_scratchpad_parameters_from_host
      aiex.npu.create_scratchpad {size = 8 : ui32}
      aiex.npu.update_from_scratchpad<incr> {address = 4096 : ui32, column = 0 : i32, row = 2 : i32, state_table_idx = 0 : ui8}
      aiex.dma_channel_reset(%t, S2MM, 0)
      aiex.core_reset(%t)
      aiex.dma_channel_reset_for(@of)
      %id = aiex.dma_bd_pool_pop(0, 0) : i32
      aiex.npu.assert_bd_field(%n) {max = 1023 : i32} : i32
      aiex.npu.assert_bd_divisible(%n) {allow_unit, divisor = 4 : i32} : i32
      %task = aiex.dma_configure_task(%s, MM2S, 0) repeat %n : i32 bd_id %id : i32 {
        aie.dma_bd(%a : memref<4096xi32> offset = %n len = %n sizes = [1, %i, 8, 32] strides = [%i, 512, 32, 1])
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%task)
      aiex.dma_await_task(%task)
      aiex.dma_bd_pool_push(0, 0) bd_id %id : i32
      aiex.npu.write32(%n, %n) {column = 0 : i32, row = 2 : i32} : i32, i32
      aiex.npu.maskwrite32(%n, %n, %n) : i32, i32, i32
      aiex.npu.sync(%n, %n, %n, %n, %n, %n) : i32, i32, i32, i32, i32, i32
      aiex.npu.push_queue(0, 0, S2MM : 1) bd_id %id repeat %n {issue_token = true} : i32, i32
      aiex.npu.address_patch(%n : i32) {addr = 118788 : ui32, arg_idx = 0 : i32}
      aiex.npu.address_patch(%n : i32) addr %id : i32 {arg_idx = 0 : i32}
      aiex.npu.rtp_write(@b, 0, %n) : i32
    }
  }
}

// CHECK: module {
// CHECK: aie.device(npu2) {
// CHECK: aiex.scratchpad_parameter @n : i32
// CHECK: aiex.scratchpad_parameter @o : bf16 {kind = 0 : i32, state_table_idx = 3 : ui8}
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %shim_noc_tile_0_0 = aie.tile(0, 0)
// CHECK: %l = aie.lock(%tile_0_2, 0) {init = 1 : i32, sym_name = "l"}
// CHECK: %b = aie.buffer(%tile_0_2) {aligned = false, sym_name = "b"} : memref<64xi32>
// CHECK: %mem_0_2 = aie.mem(%tile_0_2) {
// CHECK: %c1_i32 = arith.constant 1 : i32
// CHECK: %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2) {pad_value = 7 : i32}
// CHECK: ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK: aie.use_lock(%l, AcquireGreaterEqual, %c1_i32)
// CHECK: aie.dma_bd(%b : memref<64xi32> offset = 8 len = 32 sizes = [4, 8] strides = [8, 1]) {iteration = #aie.bd_iteration<size = 2, stride = 16, current = 1>}
// CHECK: aie.use_lock(%l, Release, %c1_i32)
// CHECK: aie.next_bd ^bb1
// CHECK: ^bb2:  // pred: ^bb0
// CHECK: aie.end
// CHECK: }
// CHECK: %core_0_2 = aie.core(%tile_0_2) {
// CHECK: %0 = aiex.read_scratchpad_parameter @n : i32
// CHECK: aie.use_lock(%l, AcquireGreaterEqual, %0)
// CHECK: aie.end
// CHECK: } {emit_parameter_sync_preamble = true, link_files = ["a.o"], link_merge_files = ["f.ll"]}
// CHECK: aie.objectfifo_rearm_binding @of_rearm channels(%tile_0_2 : index) locks(%l, %l : index, index) {channel_dirs = array<i32: 0>, channel_indices = array<i32: 0>, head_bd_ids = array<i32: 5>, lock_inits = array<i32: 2, 0>, repeat_counts = array<i32: 0>}
// CHECK: aie.objectfifo_rearm_binding @none_rearm channels() locks() {channel_dirs = array<i32>, channel_indices = array<i32>, lock_inits = array<i32>}
// CHECK: aie.trace @tr(%tile_0_2) {
// CHECK: aie.trace.packet type = core
// CHECK: }
// CHECK: aie.runtime_sequence @seq(%arg0: memref<4096xi32>, %arg1: i32, %arg2: i64) attributes {emit_parameter_sync_preamble = false} {
// CHECK: aie.trace.host_config {buffer_size = 65536 : i32, egress_shim_col = 1 : i32, reuse_output_buffer = true}
// CHECK: aiex.sync_scratchpad_parameters_from_host
// CHECK: aiex.npu.create_scratchpad {size = 8 : ui32}
// CHECK: aiex.npu.update_from_scratchpad<incr> {address = 4096 : ui32, column = 0 : i32, row = 2 : i32, state_table_idx = 0 : ui8}
// CHECK: aiex.dma_channel_reset(%tile_0_2, S2MM, 0)
// CHECK: aiex.core_reset(%tile_0_2)
// CHECK: aiex.dma_channel_reset_for(@of)
// CHECK: %0 = aiex.dma_bd_pool_pop(0, 0) : i32
// CHECK: aiex.npu.assert_bd_field(%arg1) {max = 1023 : i32} : i32
// CHECK: aiex.npu.assert_bd_divisible(%arg1) {allow_unit, divisor = 4 : i32} : i32
// CHECK: %1 = aiex.dma_configure_task(%shim_noc_tile_0_0, MM2S, 0) repeat %arg1 : i32 bd_id %0 : i32 {
// CHECK: aie.dma_bd(%arg0 : memref<4096xi32> offset = %arg1 len = %arg1 sizes = [1, %arg2, 8, 32] strides = [%arg2, 512, 32, 1])
// CHECK: aie.end
// CHECK: } {issue_token = true}
// CHECK: aiex.dma_start_task(%1)
// CHECK: aiex.dma_await_task(%1)
// CHECK: aiex.dma_bd_pool_push(0, 0) bd_id %0 : i32
// CHECK: aiex.npu.write32(%arg1, %arg1) {column = 0 : i32, row = 2 : i32} : i32, i32
// CHECK: aiex.npu.maskwrite32(%arg1, %arg1, %arg1) : i32, i32, i32
// CHECK: aiex.npu.sync(%arg1, %arg1, %arg1, %arg1, %arg1, %arg1) : i32, i32, i32, i32, i32, i32
// CHECK: aiex.npu.push_queue(0, 0, S2MM : 1) bd_id %0 repeat %arg1 {issue_token = true} : i32, i32
// CHECK: aiex.npu.address_patch(%arg1 : i32) {addr = 118788 : ui32, arg_idx = 0 : i32}
// CHECK: aiex.npu.address_patch(%arg1 : i32) addr %0 : i32 {arg_idx = 0 : i32}
// CHECK: aiex.npu.rtp_write(@b, 0, %arg1) : i32
// CHECK: }
// CHECK: }
// CHECK: }

// GENERIC: "aiex.scratchpad_parameter"() <{sym_name = "n", type = i32}> : () -> ()
// GENERIC: "aiex.scratchpad_parameter"() <{kind = 0 : i32, state_table_idx = 3 : ui8, sym_name = "o", type = bf16}> : () -> ()
// GENERIC: "aie.use_lock"({{%[^,)]+}}, %c1_i32) <{action = 2 : i32}> : (index, i32) -> ()
// GENERIC: "aie.dma_bd"({{%[^,)]+}}) <{iteration = #aie.bd_iteration<size = 2, stride = 16, current = 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 8, 1>, static_offset = 8 : i32, static_len = 32 : i32}> : (memref<64xi32>) -> ()
// GENERIC: "aie.use_lock"({{%[^,)]+}}, %c1_i32) <{action = 1 : i32}> : (index, i32) -> ()
// GENERIC: "aiex.read_scratchpad_parameter"() <{parameter = @n}> : () -> i32
// GENERIC: "aie.use_lock"({{%[^,)]+}}, {{%[^,)]+}}) <{action = 2 : i32}> : (index, i32) -> ()
// GENERIC: "aie.objectfifo_rearm_binding"({{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}}) <{channel_dirs = array<i32: 0>, channel_indices = array<i32: 0>, head_bd_ids = array<i32: 5>, lock_inits = array<i32: 2, 0>, repeat_counts = array<i32: 0>, sym_name = "of_rearm", operandSegmentSizes = array<i32: 1, 2>}> : (index, index, index) -> ()
// GENERIC: "aie.runtime_sequence"() <{emit_parameter_sync_preamble = false, sym_name = "seq"}> ({
// GENERIC: "aie.trace.host_config"() <{buffer_size = 65536 : i32, egress_shim_col = 1 : i32, reuse_output_buffer = true}> : () -> ()
// GENERIC: "aiex.sync_scratchpad_parameters_from_host"() : () -> ()
// GENERIC: "aiex.npu.create_scratchpad"() <{size = 8 : ui32}> : () -> ()
// GENERIC: "aiex.npu.update_from_scratchpad"() <{address = 4096 : ui32, column = 0 : i32, func = 1 : i32, func_arg = 0 : ui32, row = 2 : i32, state_table_idx = 0 : ui8}> : () -> ()
// GENERIC: "aiex.dma_channel_reset"({{%[^,)]+}}) <{channel = 0 : i32, direction = 0 : i32}> : (index) -> ()
// GENERIC: "aiex.core_reset"({{%[^,)]+}}) : (index) -> ()
// GENERIC: "aiex.dma_channel_reset_for"() <{symbol = @of}> : () -> ()
// GENERIC: "aiex.dma_bd_pool_pop"() <{column = 0 : i32, row = 0 : i32}> : () -> i32
// GENERIC: "aiex.npu.assert_bd_field"(%arg1) <{max = 1023 : i32}> : (i32) -> ()
// GENERIC: "aiex.npu.assert_bd_divisible"(%arg1) <{allow_unit, divisor = 4 : i32}> : (i32) -> ()
// GENERIC: "aiex.dma_configure_task"({{%[^,)]+}}, %arg1, {{%[^,)]+}}) <{channel = 0 : i32, direction = 1 : i32, issue_token = true, operandSegmentSizes = array<i32: 1, 1, 1>}> ({
// GENERIC: "aie.dma_bd"(%arg0, %arg1, %arg1, %arg2, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, static_sizes = array<i64: 1, -9223372036854775808, 8, 32>, static_strides = array<i64: -9223372036854775808, 512, 32, 1>}> : (memref<4096xi32>, i32, i32, i64, i64) -> ()
// GENERIC: "aiex.dma_bd_pool_push"({{%[^,)]+}}) <{column = 0 : i32, row = 0 : i32}> : (i32) -> ()
// GENERIC: "aiex.npu.write32"(%arg1, %arg1) <{column = 0 : i32, row = 2 : i32}> : (i32, i32) -> ()
// GENERIC: "aiex.npu.maskwrite32"(%arg1, %arg1, %arg1) : (i32, i32, i32) -> ()
// GENERIC: "aiex.npu.sync"(%arg1, %arg1, %arg1, %arg1, %arg1, %arg1) : (i32, i32, i32, i32, i32, i32) -> ()
// GENERIC: "aiex.npu.push_queue"({{%[^,)]+}}, %arg1) <{channel = 1 : i32, column = 0 : i32, direction = 0 : i32, issue_token = true, row = 0 : i32}> : (i32, i32) -> ()
// GENERIC: "aiex.npu.address_patch"(%arg1) <{addr = 118788 : ui32, arg_idx = 0 : i32}> : (i32) -> ()
// GENERIC: "aiex.npu.address_patch"(%arg1, {{%[^,)]+}}) <{arg_idx = 0 : i32}> : (i32, i32) -> ()
// GENERIC: "aiex.npu.rtp_write"(%arg1) <{buffer = @b, index = 0 : ui32}> : (i32) -> ()
