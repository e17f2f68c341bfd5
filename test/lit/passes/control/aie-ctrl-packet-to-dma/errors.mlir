// RUN: allo-opt %s --split-input-file --aie-ctrl-packet-to-dma --verify-diagnostics

aie.device(npu1) {
  %t = aie.tile(0, 2)
  aie.runtime_sequence @configure() {
    // expected-error@+1 {{goes to tile (0, 2) by @ctrlpkt_col0_mm2s_chan0, which does not exist; run aie-generate-column-control-overlay{route-shim-to-tile-ctrl=true} first}}
    aiex.control_packet {address = 2224128 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  aie.shim_dma_allocation @ctrlpkt_col0_mm2s_chan0(%s, MM2S, 0)
  aie.runtime_sequence @configure() {
    // expected-error@+1 {{goes to tile (0, 2), which has no controller_id; run aie-assign-tile-controller-ids first}}
    aiex.control_packet {address = 2224128 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 27>}
  aie.shim_dma_allocation @ctrlpkt_col0_mm2s_chan0(%s, MM2S, 0)
  aie.runtime_sequence @configure() {
    // expected-error@+1 {{writes 5 words; a control packet has 1 to 4: run aie-legalize-ctrl-packet first}}
    aiex.control_packet {address = 2224128 : ui32, data = array<i32: 1, 2, 3, 4, 5>, opcode = 0 : i32, stream_id = 0 : i32}
  }
}
