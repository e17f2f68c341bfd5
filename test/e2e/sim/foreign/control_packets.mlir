// Control packets from host memory write a core tile's buffer and then release its lock; the core's result comes back (add_one_ctrl_packet).
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %in = aie.buffer(%t02) {address = 4096 : i32, sym_name = "in"} : memref<4xi32>
    %out = aie.buffer(%t02) {address = 8192 : i32, sym_name = "out"} : memref<4xi32>
    %go = aie.lock(%t02, 0) {init = 0 : i32, sym_name = "go"}
    %full = aie.lock(%t02, 2) {init = 0 : i32, sym_name = "full"}
    aie.packet_flow(0xF) {
      aie.packet_source<%t00, DMA : 0>
      aie.packet_dest<%t02, TileControl : 0>
    }
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %k = arith.constant 1 : i32
      aie.use_lock(%go, AcquireGreaterEqual, 1)
      scf.for %i = %c0 to %c4 step %c1 {
        %v = memref.load %in[%i] : memref<4xi32>
        %w = arith.addi %v, %k : i32
        memref.store %w, %out[%i] : memref<4xi32>
      }
      aie.use_lock(%full, Release, 1)
      aie.end
    }
    aie.mem(%t02) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%full, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<4xi32>, 0, 4)
      aie.next_bd ^bb2
    ^bb2:
      aie.end
    }
    aie.shim_dma_allocation @ctrl(%t00, MM2S, 0)
    aie.shim_dma_allocation @result(%t00, S2MM, 0)
    aie.runtime_sequence(%words : memref<7xi32>, %y : memref<4xi32>) {
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 1 : i64, metadata = @result, issue_token = true} : memref<4xi32>
      aiex.npu.dma_memcpy_nd(%words[0, 0, 0, 0][1, 1, 1, 5][0, 0, 0, 1], packet = <pkt_type = 1, pkt_id = 15>) {id = 0 : i64, metadata = @ctrl, issue_token = true} : memref<7xi32>
      aiex.npu.dma_wait {symbol = @ctrl}
      aiex.npu.dma_memcpy_nd(%words[0, 0, 0, 5][1, 1, 1, 2][0, 0, 0, 1], packet = <pkt_type = 1, pkt_id = 15>) {id = 0 : i64, metadata = @ctrl, issue_token = true} : memref<7xi32>
      aiex.npu.dma_wait {symbol = @ctrl}
      aiex.npu.dma_wait {symbol = @result}
    }
  }
}
