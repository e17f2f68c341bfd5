// RUN: allo-opt %s --aie-assign-tile-controller-ids | filecheck %s
// RUN: allo-opt %s --aie-assign-tile-controller-ids=column-wise-unique-ids=false | filecheck %s --check-prefix=EACH

// Ids follow from the row, and the same row has the same id in every column; an id that is given stays.

// CHECK-DAG: aie.tile(0, 0) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 15>}
// CHECK-DAG: aie.tile(0, 1) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 26>}
// CHECK-DAG: aie.tile(1, 2) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 27>}
// CHECK-DAG: aie.tile(2, 3) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 29>}
// CHECK-DAG: aie.tile(0, 4) {controller_id = #aie.packet_info<pkt_type = 1, pkt_id = 3>}
// CHECK-DAG: aie.tile(0, 5) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 31>}

// EACH-DAG: aie.tile(0, 0) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 0>}
// EACH-DAG: aie.tile(1, 2) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 8>}
// EACH-DAG: aie.tile(2, 3) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 15>}
aie.device(npu1) {
  %a = aie.tile(0, 0)
  %b = aie.tile(0, 1)
  %c = aie.tile(1, 2)
  %d = aie.tile(2, 3)
  %e = aie.tile(0, 4) {controller_id = #aie.packet_info<pkt_type = 1, pkt_id = 3>}
  %f = aie.tile(0, 5)
}
