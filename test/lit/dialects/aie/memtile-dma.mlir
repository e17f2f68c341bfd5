// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: memtile dma.

aie.device(npu1) {
  %t = aie.tile(1, 1)
  %buf = aie.buffer(%t) {sym_name = "in"}: memref<128xi32>
  %0 = aie.memtile_dma(%t) {
    %1 = aie.dma_start(S2MM, 0, ^bb1, ^bb2, repeat_count = 2)
  ^bb1:  // 2 preds: ^bb0, ^bb1
    aie.dma_bd(%buf : memref<128xi32>, 0, 128, [<size = 8, stride = 16>, <size = 8, stride = 1>]) {bd_id = 3 : i32, next_bd_id = 3 : i32}
    aie.next_bd ^bb1
  ^bb2:
    %2 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
  ^bb3:
    aie.dma_bd(%buf : memref<128xi32>, 0, 96, [<size = 8, stride = 8>, <size = 8, stride = 1>], [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 2, const_pad_after = 2>], pad_value = 0) 
    aie.next_bd ^bb3
  ^bb4:
    %3 = aie.dma_start(MM2S, 1, ^bb5, ^bb6)
  ^bb5:
    aie.dma_bd(%buf : memref<128xi32>, 0, 128) {packet = #aie.packet_info<pkt_type = 2, pkt_id = 0x5>}
    aie.next_bd ^bb5
  ^bb6:
    aie.end
  }
}

// CHECK: aie.device(npu1) {
// CHECK: %mem_tile_1_1 = aie.tile(1, 1)
// CHECK: %in = aie.buffer(%mem_tile_1_1) {sym_name = "in"} : memref<128xi32>
// CHECK: %memtile_dma_1_1 = aie.memtile_dma(%mem_tile_1_1) {
// CHECK: %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2, repeat_count = 2)
// CHECK: ^bb1:
// CHECK: aie.dma_bd(%in : memref<128xi32>, 0, 128, [<size = 8, stride = 16>, <size = 8, stride = 1>]) {bd_id = 3 : i32, next_bd_id = 3 : i32}
// CHECK: aie.next_bd ^bb1
// CHECK: ^bb2:
// CHECK: %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
// CHECK: ^bb3:
// CHECK: aie.dma_bd(%in : memref<128xi32>, 0, 96, [<size = 8, stride = 8>, <size = 8, stride = 1>], [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 2, const_pad_after = 2>], pad_value = 0)
// CHECK: aie.next_bd ^bb3
// CHECK: ^bb4:
// CHECK: %2 = aie.dma_start(MM2S, 1, ^bb5, ^bb6)
// CHECK: ^bb5:
// CHECK: aie.dma_bd(%in : memref<128xi32>, 0, 128) {packet = #aie.packet_info<pkt_type = 2, pkt_id = 5>}
// CHECK: aie.next_bd ^bb5
// CHECK: ^bb6:
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 4 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 1 : i32, row = 1 : i32}> : () -> index
// GENERIC: "aie.buffer"(%0) <{sym_name = "in"}> : (index) -> memref<128xi32>
// GENERIC: "aie.memtile_dma"(%0) ({
// GENERIC: "aie.dma_start"()[^bb1, ^bb2] <{channel_dir = 0 : i32, channel_index = 0 : i32, repeat_count = 2 : i32}> : () -> i1
// GENERIC: "aie.dma_bd"(%1) <{bd_id = 3 : i32, dimensions = #aie<bd_dim_layout_array[<size = 8, stride = 16>, <size = 8, stride = 1>]>, len = 128 : i32, next_bd_id = 3 : i32, offset = 0 : i32}> : (memref<128xi32>) -> ()
// GENERIC: "aie.next_bd"()[^bb1] : () -> ()
// GENERIC: "aie.end"() : () -> ()
