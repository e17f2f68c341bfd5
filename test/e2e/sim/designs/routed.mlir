// Routed already: the stream goes over shim multiplexer and switches; core (0, 2) has no program, its DMA turns the data round.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %buf = aie.buffer(%t02) {address = 1024 : i32, sym_name = "buf"} : memref<64xi32>
    %prod = aie.lock(%t02, 0) {init = 1 : i32, sym_name = "prod"}
    %cons = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "cons"}
    %mux = aie.shim_mux(%t00) {
      aie.connect<DMA : 0, North : 3>
      aie.connect<North : 2, DMA : 0>
    }
    %sw0 = aie.switchbox(%t00) {
      aie.connect<South : 3, North : 1>
      aie.connect<North : 0, South : 2>
    }
    %sw1 = aie.switchbox(%t01) {
      aie.connect<South : 1, North : 1>
      %a = aie.amsel<0> (0)
      %m = aie.masterset(South : 0, %a)
      aie.packet_rules(North : 0) {
        aie.rule(31, 3, %a)
      }
    }
    %sw2 = aie.switchbox(%t02) {
      aie.connect<South : 1, DMA : 1>
      %a = aie.amsel<0> (0)
      %m = aie.masterset(South : 0, %a)
      aie.packet_rules(DMA : 0) {
        aie.rule(31, 3, %a)
      }
    }
    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 1, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<64xi32>, 0, 64)
      aie.use_lock(%cons, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<64xi32>, 0, 64, [<size = 8, stride = 1>, <size = 8, stride = 8>]) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>}
      aie.use_lock(%prod, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<8x8xi32>, %b : memref<8x8xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 8, 8][0, 0, 8, 1]) {id = 0 : i64, metadata = @in} : memref<8x8xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 8, 8][0, 0, 8, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<8x8xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
