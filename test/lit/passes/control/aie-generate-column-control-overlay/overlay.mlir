// RUN: allo-opt %s --aie-assign-tile-controller-ids --aie-generate-column-control-overlay | filecheck %s --check-prefix=SHIM
// RUN: allo-opt %s --aie-assign-tile-controller-ids --aie-generate-column-control-overlay=route-shim-to-tct=all-tiles | filecheck %s --check-prefix=ALL
// RUN: allo-opt %s --aie-assign-tile-controller-ids --aie-generate-column-control-overlay='route-shim-to-tct=disable route-shim-to-tile-ctrl=true' | filecheck %s --check-prefix=CTRL
// RUN: allo-opt %s --aie-assign-tile-controller-ids --aie-generate-column-control-overlay --aie-generate-column-control-overlay | filecheck %s --check-prefix=SHIM

// SHIM: aie.packet_flow(15) {
// SHIM-NEXT: aie.packet_source<%[[S:.*]], TileControl : 0>
// SHIM-NEXT: aie.packet_dest<%[[S]], South : 0>
// SHIM-NEXT: } {keep_pkt_header = true, priority_route = true}
// SHIM-NOT: aie.packet_flow
// SHIM-NOT: shim_dma_allocation

// ALL: aie.packet_flow(15)
// ALL: aie.packet_flow(27)
// ALL-NEXT: aie.packet_source<%tile_0_2, TileControl : 0>
// ALL-NEXT: aie.packet_dest<%{{.*}}_0_0, South : 0>
// ALL: aie.packet_flow(30)

// CTRL-NOT: South
// CTRL: aie.packet_flow(15) {
// CTRL-NEXT: aie.packet_source<%[[S:.*]], DMA : 0>
// CTRL-NEXT: aie.packet_dest<%[[S]], TileControl : 0>
// CTRL: aie.shim_dma_allocation @ctrlpkt_col0_mm2s_chan0(%[[S]], MM2S, 0)
// CTRL: aie.packet_flow(27) {
// CTRL-NEXT: aie.packet_source<%[[S]], DMA : 0>
// CTRL-NEXT: aie.packet_dest<%tile_0_2, TileControl : 0>
// CTRL: aie.packet_flow(30) {
// CTRL-NEXT: aie.packet_source<%[[S]], DMA : 1>
// CTRL-NEXT: aie.packet_dest<%tile_0_4, TileControl : 0>
// CTRL: aie.shim_dma_allocation @ctrlpkt_col0_mm2s_chan1(%[[S]], MM2S, 1)
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 4)
}
