// RUN: allo-opt %s --aie-create-pathfinder-flows | filecheck %s

// Two ids of one port to two places; the header stays where the flow says so.
// CHECK-LABEL: aie.switchbox(%tile_0_2)
// CHECK: %[[A:.*]] = aie.amsel<0> (0)
// CHECK-NEXT: %[[B:.*]] = aie.amsel<1> (0)
// CHECK: aie.packet_rules(DMA : 0) {
// CHECK-NEXT: aie.rule(31, 1, %{{.*}})
// CHECK-NEXT: aie.rule(31, 2, %{{.*}})
// CHECK-LABEL: aie.switchbox(%tile_0_3)
// CHECK: aie.masterset(DMA : 1, %{{.*}}) {keep_pkt_header = true}
aie.device(npu2) {
  %m = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  aie.packet_flow(1) {
    aie.packet_source<%a, DMA : 0>
    aie.packet_dest<%m, DMA : 0>
  }
  aie.packet_flow(2) {
    aie.packet_source<%a, DMA : 0>
    aie.packet_dest<%b, DMA : 1>
  } {keep_pkt_header = true}
}
