// The generic form, as aie-opt prints it with --mlir-print-op-generic.
"builtin.module"() ({
  "aie.device"() <{device = 4 : i32, sym_name = "main"}> ({
    %0 = "aie.tile"() <{col = 1 : i32, row = 0 : i32}> : () -> index
    %1 = "aie.tile"() <{col = 1 : i32, row = 2 : i32}> : () -> index
    %2 = "aie.lock"(%1) <{init = 1 : i32, lockID = 0 : i32, sym_name = "p"}> : (index) -> index
    %3 = "aie.lock"(%1) <{init = 0 : i32, lockID = 1 : i32, sym_name = "c"}> : (index) -> index
    %4 = "aie.buffer"(%1) <{sym_name = "buf"}> : (index) -> memref<16xi32>
    "aie.flow"(%0, %1) <{dest_bundle = 1 : i32, dest_channel = 0 : i32, source_bundle = 1 : i32, source_channel = 0 : i32}> : (index, index) -> ()
    "aie.flow"(%1, %0) <{dest_bundle = 1 : i32, dest_channel = 0 : i32, source_bundle = 1 : i32, source_channel = 0 : i32}> : (index, index) -> ()
    "aie.shim_dma_allocation"(%0) <{channel_dir = 1 : i32, channel_index = 0 : i64, plio = false, sym_name = "in"}> : (index) -> ()
    "aie.shim_dma_allocation"(%0) <{channel_dir = 0 : i32, channel_index = 0 : i64, plio = false, sym_name = "out"}> : (index) -> ()
    %5 = "aie.mem"(%1) ({
      %7 = "aie.dma_start"()[^bb1, ^bb2] <{channel_dir = 0 : i32, channel_index = 0 : i32, repeat_count = 0 : i32}> : () -> i1
    ^bb1:
      "aie.use_lock"(%2) <{action = 2 : i32, value = 1 : i32}> : (index) -> ()
      "aie.dma_bd"(%4) <{len = 16 : i32, offset = 0 : i32}> : (memref<16xi32>) -> ()
      "aie.use_lock"(%3) <{action = 1 : i32, value = 1 : i32}> : (index) -> ()
      "aie.next_bd"()[^bb1] : () -> ()
    ^bb2:
      %8 = "aie.dma_start"()[^bb3, ^bb4] <{channel_dir = 1 : i32, channel_index = 0 : i32, repeat_count = 0 : i32}> : () -> i1
    ^bb3:
      "aie.use_lock"(%3) <{action = 2 : i32, value = 1 : i32}> : (index) -> ()
      "aie.dma_bd"(%4) <{dimensions = #aie<bd_dim_layout_array[<size = 4, stride = 1>, <size = 4, stride = 4>]>, len = 16 : i32, offset = 0 : i32}> : (memref<16xi32>) -> ()
      "aie.use_lock"(%2) <{action = 1 : i32, value = 1 : i32}> : (index) -> ()
      "aie.next_bd"()[^bb3] : () -> ()
    ^bb4:
      "aie.end"() : () -> ()
    }) : (index) -> index
    "aie.runtime_sequence"() <{sym_name = "sequence"}> ({
    ^bb0(%arg0: memref<32xi32>, %arg1: memref<32xi32>):
      "aiex.npu.dma_memcpy_nd"(%arg0) <{id = 0 : i64, issue_token = true, metadata = @in, operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 1, 1, 1, 32>, static_strides = array<i64: 0, 0, 0, 1>}> : (memref<32xi32>) -> ()
      "aiex.npu.dma_memcpy_nd"(%arg1) <{id = 1 : i64, issue_token = true, metadata = @out, operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 1, 1, 1, 32>, static_strides = array<i64: 0, 0, 0, 1>}> : (memref<32xi32>) -> ()
      "aiex.npu.dma_wait"() <{symbol = @out}> : () -> ()
    }) : () -> ()
    "aie.end"() : () -> ()
  }) : () -> ()
}) : () -> ()
