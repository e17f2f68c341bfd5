// RUN: allo-opt %s --aie-lower-broadcast-packet | filecheck %s

// CHECK-NOT: aiex
// CHECK: aie.packet_flow(0) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%tile_0_3, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%tile_0_4, DMA : 0>
// CHECK: aie.packet_flow(1) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, DMA : 0>
// CHECK-NEXT: aie.packet_dest<%tile_0_3, DMA : 1>
aie.device(npu1) {
  %s = aie.tile(0, 2)
  %a = aie.tile(0, 3)
  %b = aie.tile(0, 4)
  aiex.broadcast_packet(%s, DMA : 0) {
    aiex.bp_id(0x0) {
      aiex.bp_dest<%a, DMA : 0>
      aiex.bp_dest<%b, DMA : 0>
    }
    aiex.bp_id(0x1) {
      aiex.bp_dest<%a, DMA : 1>
    }
  }
}
