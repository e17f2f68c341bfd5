// Two cores share one channel of the shim in both directions by packet ids, one by aie.dma_bd_packet.
module {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %a = aie.tile(0, 2)
    %b = aie.tile(0, 4)
    %ba = aie.buffer(%a) {sym_name = "ba"} : memref<8xi32>
    %bb = aie.buffer(%b) {sym_name = "bb"} : memref<8xi32>
    %pa = aie.lock(%a) {init = 1 : i32, sym_name = "pa"}
    %ca = aie.lock(%a) {init = 0 : i32, sym_name = "ca"}
    %pb = aie.lock(%b) {init = 1 : i32, sym_name = "pb"}
    %cb = aie.lock(%b) {init = 0 : i32, sym_name = "cb"}
    aie.packet_flow(0x2) {
      aie.packet_source<%shim, DMA : 0>
      aie.packet_dest<%a, DMA : 0>
    }
    aie.packet_flow(0x3) {
      aie.packet_source<%shim, DMA : 0>
      aie.packet_dest<%b, DMA : 0>
    }
    aie.packet_flow(0x4) {
      aie.packet_source<%a, DMA : 0>
      aie.packet_dest<%shim, DMA : 0>
    }
    aie.packet_flow(0x5) {
      aie.packet_source<%b, DMA : 0>
      aie.packet_dest<%shim, DMA : 0>
    }
    aie.mem(%a) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^next)
    ^in:
      aie.use_lock(%pa, AcquireGreaterEqual, 1)
      aie.dma_bd(%ba : memref<8xi32>, 0, 8)
      aie.use_lock(%ca, Release, 1)
      aie.next_bd ^in
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^out, ^done)
    ^out:
      aie.use_lock(%ca, AcquireGreaterEqual, 1)
      aie.dma_bd_packet(0x0, 0x4)
      aie.dma_bd(%ba : memref<8xi32>, 0, 8)
      aie.use_lock(%pa, Release, 1)
      aie.next_bd ^out
    ^done:
      aie.end
    }
    aie.mem(%b) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^next)
    ^in:
      aie.use_lock(%pb, AcquireGreaterEqual, 1)
      aie.dma_bd(%bb : memref<8xi32>, 0, 8)
      aie.use_lock(%cb, Release, 1)
      aie.next_bd ^in
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^out, ^done)
    ^out:
      aie.use_lock(%cb, AcquireGreaterEqual, 1)
      aie.dma_bd(%bb : memref<8xi32>, 0, 8) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 5>}
      aie.use_lock(%pb, Release, 1)
      aie.next_bd ^out
    ^done:
      aie.end
    }
    aie.shim_dma_allocation @in(%shim, MM2S, 0)
    aie.shim_dma_allocation @out(%shim, S2MM, 0)
    aie.runtime_sequence(%x : memref<16xi32>, %y : memref<16xi32>) {
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<16xi32>
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 8][1, 1, 1, 8][0, 0, 0, 1], packet = <pkt_type = 0, pkt_id = 3>) {id = 1 : i64, metadata = @in} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 8][1, 1, 1, 8][0, 0, 0, 1]) {id = 2 : i64, metadata = @out, issue_token = true} : memref<16xi32>
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1], packet = <pkt_type = 0, pkt_id = 2>) {id = 3 : i64, metadata = @in} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
