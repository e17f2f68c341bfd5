// RUN: allo-opt --syntax=2026-03 %s --aie-assign-tile-controller-ids --aie-generate-column-control-overlay=route-shim-to-tile-ctrl=true --aie-ctrl-packet-to-dma | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --aie-assign-tile-controller-ids -o %t.mlir && allo-translate --aie-ctrlpkt-to-bin --hex %t.mlir | filecheck %s --check-prefix=WORDS

// The buffer comes after the arguments; each packet is a stream header, a header, and its data.

// CHECK: aie.runtime_sequence @configure(%[[A:.*]]: memref<8xi32>, %[[P:.*]]: memref<?xi32>) {
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%[[P]][0, 0, 0, 0][1, 1, 1, 3][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @ctrlpkt_col0_mm2s_chan0} : memref<?xi32>
// CHECK-NEXT: aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 1 : i32, row = 0 : i32, row_num = 1 : i32}
// CHECK-NEXT: aiex.npu.dma_memcpy_nd(%[[P]][0, 0, 0, 3][1, 1, 1, 2][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @ctrlpkt_col0_mm2s_chan1} : memref<?xi32>
// CHECK-NEXT: aiex.npu.sync {channel = 1 : i32

// Packet id 27; lock 0 of the tile at 0x1F000. Then id 30; a read of 3 words whose answer has id 4, at 0x400. Parity is odd.
// WORDS: 8000001B
// WORDS-NEXT: 0001F000
// WORDS-NEXT: 00000001
// WORDS-NEXT: 8000001E
// WORDS-NEXT: 84600400
// WORDS-NOT: {{.}}
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 4)
  aie.runtime_sequence @configure(%a: memref<8xi32>) {
    aiex.control_packet {address = 2224128 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
    aiex.control_packet {address = 4195328 : ui32, length = 3 : i32, opcode = 1 : i32, stream_id = 4 : i32}
  }
}
