// RUN: allo-opt %s --aie-generate-column-control-overlay=route-shim-to-tile-ctrl=true --verify-diagnostics

aie.device(npu1) {
  %s = aie.tile(0, 0) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 15>}
  %t = aie.tile(0, 3) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 29>}
  // expected-error@+1 {{takes MM2S 1 of shim (0, 0), by which control packets are to go}}
  aie.flow(%s, DMA : 1, %t, DMA : 0)
}
