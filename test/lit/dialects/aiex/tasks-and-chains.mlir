// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIEX: tasks and chains.

module {
  aie.device(npu1) {
    %tile_0_0 = aie.tile(0, 0)
    aie.shim_dma_allocation @alloc0 (%tile_0_0, MM2S, 0)
    aie.bd_chain @simple_chain(%arg0: memref<8xi16>, %arg1: memref<12xi16>, %arg2: memref<8xi16>) {
            aie.dma_bd(%arg0 : memref<8xi16>, 0, 8, [<size=1, stride=0>, <size=2, stride=2>, <size=1, stride=1>])
            aie.next_bd ^bd1
        ^bd1:
            aie.dma_bd(%arg1 : memref<12xi16>, 0, 12)
            aie.next_bd ^bd2
        ^bd2:
            aie.dma_bd(%arg2 : memref<8xi16>, 0, 8)
            aie.end
    }
    aie.runtime_sequence(%arg0: memref<8xi16>, %arg1: memref<12xi16>) {
        %t1 = aiex.dma_start_bd_chain @simple_chain(%arg0, %arg1, %arg0) : (memref<8xi16>, memref<12xi16>, memref<8xi16>)
                                      on (%tile_0_0, MM2S, 0) {issue_token = true}
        %t2 = aiex.dma_start_bd_chain_for @simple_chain(%arg0, %arg1, %arg0) : (memref<8xi16>, memref<12xi16>, memref<8xi16>)
                                      for @alloc0
        aiex.dma_await_task(%t1)
        aiex.dma_start_bd_chain_for @simple_chain(%arg0, %arg1, %arg0) : (memref<8xi16>, memref<12xi16>, memref<8xi16>) for @alloc0 {repeat_count = 3 : i32}
        %t3 = aiex.dma_configure_task(%tile_0_0, MM2S, 0) {
            aie.dma_bd(%arg0 : memref<8xi16>, 0, 8) {bd_id = 7 : i32}
            aie.next_bd ^bd1
          ^bd1:
            aie.dma_bd(%arg1 : memref<12xi16>, 4, 8, [<size = 4, stride = 2>, <size = 2, stride = 1>]) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>, burst_length = 64 : i32}
            aie.end
        } {issue_token = true, repeat_count = 2 : i32}
        aiex.dma_start_task(%t3)
        %t4 = aiex.dma_configure_task_for @alloc0 {
            aie.dma_bd(%arg0 : memref<8xi16>, 0, 8)
            aie.end
        }
        aiex.dma_start_task(%t4)
        aiex.dma_free_task(%t4)
    }
    aie.runtime_sequence @two() {
    }
    aie.runtime_sequence @three(%a : i32, %b : index) { } 
  }
}

// CHECK: aie.device(npu1) {
// CHECK: %shim_noc_tile_0_0 = aie.tile(0, 0)
// CHECK: aie.shim_dma_allocation @alloc0(%shim_noc_tile_0_0, MM2S, 0)
// CHECK: aie.bd_chain @simple_chain(%arg0: memref<8xi16>, %arg1: memref<12xi16>, %arg2: memref<8xi16>) {
// CHECK: aie.dma_bd(%arg0 : memref<8xi16>, 0, 8, [<size = 1, stride = 0>, <size = 2, stride = 2>, <size = 1, stride = 1>])
// CHECK: aie.next_bd ^bb1
// CHECK: ^bb1:
// CHECK: aie.dma_bd(%arg1 : memref<12xi16>, 0, 12)
// CHECK: aie.next_bd ^bb2
// CHECK: ^bb2:
// CHECK: aie.dma_bd(%arg2 : memref<8xi16>, 0, 8)
// CHECK: aie.end
// CHECK: aie.runtime_sequence(%arg0: memref<8xi16>, %arg1: memref<12xi16>) {
// CHECK: %0 = aiex.dma_start_bd_chain @simple_chain(%arg0, %arg1, %arg0) : (memref<8xi16>, memref<12xi16>, memref<8xi16>) on (%shim_noc_tile_0_0, MM2S, 0) {issue_token = true}
// CHECK: %1 = aiex.dma_start_bd_chain_for @simple_chain(%arg0, %arg1, %arg0) : (memref<8xi16>, memref<12xi16>, memref<8xi16>) for @alloc0
// CHECK: aiex.dma_await_task(%0)
// CHECK: %2 = aiex.dma_start_bd_chain_for @simple_chain(%arg0, %arg1, %arg0) : (memref<8xi16>, memref<12xi16>, memref<8xi16>) for @alloc0 {repeat_count = 3 : i32}
// CHECK: %3 = aiex.dma_configure_task(%shim_noc_tile_0_0, MM2S, 0) {
// CHECK: aie.dma_bd(%arg0 : memref<8xi16>, 0, 8) {bd_id = 7 : i32}
// CHECK: aie.next_bd ^bb1
// CHECK: ^bb1:
// CHECK: aie.dma_bd(%arg1 : memref<12xi16>, 4, 8, [<size = 4, stride = 2>, <size = 2, stride = 1>]) {burst_length = 64 : i32, packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
// CHECK: aie.end
// CHECK: aiex.dma_start_task(%3)
// CHECK: %4 = aiex.dma_configure_task_for @alloc0 {
// CHECK: aie.dma_bd(%arg0 : memref<8xi16>, 0, 8)
// CHECK: aie.end
// CHECK: aiex.dma_start_task(%4)
// CHECK: aiex.dma_free_task(%4)
// CHECK: aie.runtime_sequence @two() {
// CHECK: aie.runtime_sequence @three(%arg0: i32, %arg1: index) {

// GENERIC: "aie.device"() <{device = 4 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 0 : i32}> : () -> index
// GENERIC: "aie.shim_dma_allocation"(%0) <{channel_dir = 1 : i32, channel_index = 0 : i64, plio = false, sym_name = "alloc0"}> : (index) -> ()
// GENERIC: "aie.bd_chain"() <{sym_name = "simple_chain"}> ({
// GENERIC: "aie.dma_bd"(%arg4) <{dimensions = #aie<bd_dim_layout_array[<size = 1, stride = 0>, <size = 2, stride = 2>, <size = 1, stride = 1>]>, len = 8 : i32, offset = 0 : i32}> : (memref<8xi16>) -> ()
// GENERIC: "aie.next_bd"()[^bb1] : () -> ()
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aie.runtime_sequence"() <{sym_name = "sequence"}> ({
// GENERIC: "aiex.dma_start_bd_chain"(%arg2, %arg3, %arg2, %0) <{channel = 0 : i32, direction = 1 : i32, issue_token = true, symbol = @simple_chain}> : (memref<8xi16>, memref<12xi16>, memref<8xi16>, index) -> index
// GENERIC: "aiex.dma_start_bd_chain_for"(%arg2, %arg3, %arg2) <{alloc = @alloc0, symbol = @simple_chain}> : (memref<8xi16>, memref<12xi16>, memref<8xi16>) -> index
// GENERIC: "aiex.dma_await_task"(%1) : (index) -> ()
// GENERIC: "aiex.dma_configure_task"(%0) <{channel = 0 : i32, direction = 1 : i32, issue_token = true, repeat_count = 2 : i32}> ({
// GENERIC: "aiex.dma_start_task"(%4) : (index) -> ()
// GENERIC: "aiex.dma_configure_task_for"() <{alloc = @alloc0}> ({
// GENERIC: "aiex.dma_free_task"(%5) : (index) -> ()
