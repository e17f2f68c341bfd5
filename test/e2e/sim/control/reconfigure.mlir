// Control packets configure a memtile that the file leaves without a DMA program: two BDs, of which the second transposes 4x4, and
// their start. The lower shim channel is theirs.
module {
  aie.device(npu2_1col) {
    %shim = aie.tile(0, 0)
    %mem = aie.tile(0, 1)
    %buffer = aie.buffer(%mem) {address = 512 : i32, sym_name = "buffer"} : memref<16xi32>
    %full = aie.lock(%mem, 0) {init = 0 : i32, sym_name = "full"}
    aie.flow(%shim, DMA : 1, %mem, DMA : 0)
    aie.flow(%mem, DMA : 0, %shim, DMA : 0)
    aie.shim_dma_allocation @in(%shim, MM2S, 1)
    aie.shim_dma_allocation @out(%shim, S2MM, 0)
    aie.runtime_sequence @seq(%a: memref<16xi32>, %c: memref<16xi32>) {
      // BD 0, S2MM 0: 16 words to byte 512 of the own memory (0x80000), releases lock 64 (own 0) by 1
      aiex.control_packet {address = 1703936 : ui32, data = array<i32: 16, 131200, 0, 0, 0, 0, 0, -2126512128>, opcode = 0 : i32, stream_id = 0 : i32}
      // BD 1, MM2S 0: 4x4, columns first, after lock 64
      aiex.control_packet {address = 1703968 : ui32, data = array<i32: 16, 131200, 524291, 524288, 0, 0, 0, -2147418304>, opcode = 0 : i32, stream_id = 0 : i32}
      // the queues of S2MM 0 and MM2S 0
      aiex.control_packet {address = 1705476 : ui32, data = array<i32: 0>, opcode = 0 : i32, stream_id = 0 : i32}
      aiex.control_packet {address = 1705524 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<16xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 2 : i64, metadata = @in} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
