// RUN: allo-opt %s --aie-create-pathfinder-flows=route-packet=false | filecheck %s --check-prefix=CIRCUIT
// RUN: allo-opt %s --aie-create-pathfinder-flows=route-circuit=false | filecheck %s --check-prefix=PACKET
// RUN: allo-opt %s --aie-create-pathfinder-flows='route-circuit=false route-packet=false' | filecheck %s --check-prefix=NONE

// Only one kind of flows is routed; the other stays.
// CIRCUIT: aie.packet_flow(1)
// CIRCUIT: aie.connect<DMA : 0, North : 3>
// CIRCUIT-NOT: aie.packet_rules
// PACKET: aie.flow(
// PACKET-NOT: aie.connect
// PACKET: aie.packet_rules
// NONE-NOT: aie.switchbox
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  aie.flow(%a, DMA : 0, %b, DMA : 0)
  aie.packet_flow(1) {
    aie.packet_source<%a, DMA : 1>
    aie.packet_dest<%b, DMA : 1>
  }
}
