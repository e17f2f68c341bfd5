// A core adds 1 to what control packets write, and sends the first word as a sign; then control packets read its result back.
module {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %tile = aie.tile(0, 2)
    %in = aie.buffer(%tile) {address = 1024 : i32, sym_name = "in"} : memref<8xi32>
    %out = aie.buffer(%tile) {address = 2048 : i32, sym_name = "out"} : memref<8xi32>
    %go = aie.lock(%tile, 0) {init = 0 : i32, sym_name = "go"}
    %done = aie.lock(%tile, 1) {init = 0 : i32, sym_name = "done"}
    aie.packet_flow(0x1) {
      aie.packet_source<%shim, DMA : 0>
      aie.packet_dest<%tile, TileControl : 0>
    }
    aie.packet_flow(0x2) {
      aie.packet_source<%tile, TileControl : 0>
      aie.packet_dest<%shim, DMA : 0>
    }
    aie.core(%tile) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %one = arith.constant 1 : i32
      aie.use_lock(%go, AcquireGreaterEqual, 1)
      scf.for %i = %c0 to %c8 step %c1 {
        %x = memref.load %in[%i] : memref<8xi32>
        %y = arith.addi %x, %one : i32
        memref.store %y, %out[%i] : memref<8xi32>
      }
      aie.use_lock(%done, Release, 1)
      aie.end
    }
    aie.mem(%tile) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%done, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<8xi32>, 0, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.end
    }
    aie.flow(%tile, DMA : 0, %shim, DMA : 1)
    aie.shim_dma_allocation @sign(%shim, S2MM, 1)
    aie.shim_dma_allocation @ctrl_in(%shim, MM2S, 0)
    aie.shim_dma_allocation @ctrl_out(%shim, S2MM, 0)
    // The host's packets: 2 x (header, 4 words), the lock, then a read of the lock and two of 4 words of the result.
    aie.runtime_sequence @seq(%packets: memref<15xi32>, %result: memref<9xi32>, %first: memref<1xi32>) {
      aiex.npu.dma_memcpy_nd(%first[0, 0, 0, 0][1, 1, 1, 1][0, 0, 0, 1]) {id = 2 : i64, issue_token = true, metadata = @sign} : memref<1xi32>
      aiex.npu.dma_memcpy_nd(%packets[0, 0, 0, 0][1, 1, 1, 5][0, 0, 0, 1], packet = <pkt_id = 1, pkt_type = 1>) {id = 0 : i64, issue_token = true, metadata = @ctrl_in} : memref<15xi32>
      aiex.npu.dma_wait {symbol = @ctrl_in}
      aiex.npu.dma_memcpy_nd(%packets[0, 0, 0, 5][1, 1, 1, 5][0, 0, 0, 1], packet = <pkt_id = 1, pkt_type = 1>) {id = 0 : i64, issue_token = true, metadata = @ctrl_in} : memref<15xi32>
      aiex.npu.dma_wait {symbol = @ctrl_in}
      aiex.npu.dma_memcpy_nd(%packets[0, 0, 0, 10][1, 1, 1, 2][0, 0, 0, 1], packet = <pkt_id = 1, pkt_type = 1>) {id = 0 : i64, issue_token = true, metadata = @ctrl_in} : memref<15xi32>
      aiex.npu.dma_wait {symbol = @ctrl_in}
      aiex.npu.dma_wait {symbol = @sign}
      aiex.npu.dma_memcpy_nd(%result[0, 0, 0, 0][1, 1, 1, 9][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @ctrl_out} : memref<9xi32>
      aiex.npu.dma_memcpy_nd(%packets[0, 0, 0, 12][1, 1, 1, 1][0, 0, 0, 1], packet = <pkt_id = 1, pkt_type = 1>) {id = 0 : i64, issue_token = true, metadata = @ctrl_in} : memref<15xi32>
      aiex.npu.dma_wait {symbol = @ctrl_in}
      aiex.npu.dma_memcpy_nd(%packets[0, 0, 0, 13][1, 1, 1, 1][0, 0, 0, 1], packet = <pkt_id = 1, pkt_type = 1>) {id = 0 : i64, issue_token = true, metadata = @ctrl_in} : memref<15xi32>
      aiex.npu.dma_wait {symbol = @ctrl_in}
      aiex.npu.dma_memcpy_nd(%packets[0, 0, 0, 14][1, 1, 1, 1][0, 0, 0, 1], packet = <pkt_id = 1, pkt_type = 1>) {id = 0 : i64, issue_token = true, metadata = @ctrl_in} : memref<15xi32>
      aiex.npu.dma_wait {symbol = @ctrl_in}
      aiex.npu.dma_wait {symbol = @ctrl_out}
    }
  }
}
