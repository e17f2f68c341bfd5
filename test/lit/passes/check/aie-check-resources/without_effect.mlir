// RUN: allo-opt %s --aie-check-resources --split-input-file --verify-diagnostics -o /dev/null

aie.device(npu2) {
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) : memref<32xi32>
  // expected-warning@below {{mem_bank = 1 has no effect: its address is in bank 0}}
  %c = aie.buffer(%m) {address = 4096 : i32, mem_bank = 1 : i32} : memref<32xi32>
  aie.memtile_dma(%m) {
    // expected-warning@below {{repeat_count = 3 has no effect: its chain of BDs has no end}}
    %0 = aie.dma_start(S2MM, 0, ^in, ^next, repeat_count = 3)
  ^in:
    // expected-warning@below {{a packet header has no effect on a BD that receives}}
    aie.dma_bd(%b : memref<32xi32>, 0, 32) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
    aie.next_bd ^in
  ^next:
    %1 = aie.dma_start(MM2S, 0, ^out, ^end, repeat_count = 3)
  ^out:
    aie.dma_bd(%b : memref<32xi32>, 0, 32) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
    aie.next_bd ^end
  ^end:
    aie.end
  }
}

// -----

// The outermost size of a BD stands in no register: its length says how often the others are walked.
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  aie.mem(%t) {
    %0 = aie.dma_start(MM2S, 0, ^first, ^end)
  ^first:
    // expected-warning@below {{core (0,2): the outermost size, 7, has no effect: len = 64 makes 8 repetitions of it; let sizes and len agree}}
    aie.dma_bd(%b : memref<64xi32>, 0, 64, [<size = 7, stride = 1>, <size = 8, stride = 8>])
    aie.next_bd ^second
  ^second:
    aie.dma_bd(%b : memref<64xi32>, 0, 64, [<size = 8, stride = 1>, <size = 8, stride = 8>])
    aie.next_bd ^end
  ^end:
    aie.end
  }
}
