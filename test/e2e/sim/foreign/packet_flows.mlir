// Two packet flows out of one shim channel, told apart by the task's packet; two cores' packets merge into one shim channel with headers kept.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %t03 = aie.tile(0, 3)
    %a = aie.buffer(%t02) {sym_name = "a"} : memref<16xi8>
    %b = aie.buffer(%t03) {sym_name = "b"} : memref<16xi8>
    %ae = aie.lock(%t02, 0) {init = 1 : i32}
    %af = aie.lock(%t02, 1) {init = 0 : i32}
    %be = aie.lock(%t03, 0) {init = 1 : i32}
    %bf = aie.lock(%t03, 1) {init = 0 : i32}
    aie.packet_flow(0x3) {
      aie.packet_source<%t00, DMA : 0>
      aie.packet_dest<%t02, DMA : 0>
    }
    aie.packet_flow(0x7) {
      aie.packet_source<%t00, DMA : 0>
      aie.packet_dest<%t03, DMA : 0>
    }
    aie.packet_flow(0x1) {
      aie.packet_source<%t02, DMA : 1>
      aie.packet_dest<%t00, DMA : 1>
    } {keep_pkt_header = true}
    aie.packet_flow(0x2) {
      aie.packet_source<%t03, DMA : 1>
      aie.packet_dest<%t00, DMA : 1>
    } {keep_pkt_header = true}
    aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^chain)
    ^in:
      aie.use_lock(%ae, AcquireGreaterEqual, 1)
      aie.dma_bd(%a : memref<16xi8>, 0, 16)
      aie.use_lock(%af, Release, 1)
      aie.next_bd ^in
    ^chain:
      %1 = aie.dma_start(MM2S, 1, ^out, ^end)
    ^out:
      aie.use_lock(%af, AcquireGreaterEqual, 1)
      aie.dma_bd_packet(5, 1)
      aie.dma_bd(%a : memref<16xi8>, 0, 16)
      aie.use_lock(%ae, Release, 1)
      aie.next_bd ^out
    ^end:
      aie.end
    }
    aie.mem(%t03) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^chain)
    ^in:
      aie.use_lock(%be, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<16xi8>, 0, 16)
      aie.use_lock(%bf, Release, 1)
      aie.next_bd ^in
    ^chain:
      %1 = aie.dma_start(MM2S, 1, ^out, ^end)
    ^out:
      aie.use_lock(%bf, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<16xi8>, 0, 16) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>}
      aie.use_lock(%be, Release, 1)
      aie.next_bd ^out
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @in(%t00, MM2S, 0)
    aie.shim_dma_allocation @out(%t00, S2MM, 1)
    aie.runtime_sequence(%x : memref<32xi8>, %y : memref<40xi8>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1], packet = <pkt_type = 0, pkt_id = 7>) {id = 0 : i64, metadata = @in} : memref<32xi8>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 20][0, 0, 0, 1]) {id = 2 : i64, metadata = @out} : memref<40xi8>
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 16][1, 1, 1, 16][0, 0, 0, 1], packet = <pkt_id = 3, pkt_type = 0>) {id = 1 : i64, metadata = @in} : memref<32xi8>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 20][1, 1, 1, 20][0, 0, 0, 1]) {id = 2 : i64, metadata = @out} : memref<40xi8>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
