// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: packet flow.

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  aie.packet_flow(0x10) {
    aie.packet_source<%t, Core : 0>
    aie.packet_dest<%u, Core : 0>
    aie.packet_dest<%u, DMA : 1>
  } {keep_pkt_header = true}
  aie.packet_flow(0x1f) {
    aie.packet_source<%t, "Core" : 0>
    aie.packet_dest<%u, Core : 0>
  }
  aie.packet_flow(0xD) {
    aie.packet_source<%t, Core : 1>
    aie.packet_dest<%u, Core : 0>
    aie.end
  } {priority_route = true, a.b}
  aie.packet_flow(3) {
    aie.packet_source<%t, Trace : 0>
    aie.packet_dest<%u, DMA : 0>
  } {keep_pkt_header = false}
  aie.flow(%t, "Core" : 0, %u, "DMA" : 1)
  aie.flow(%t, DMA : 0, %u, DMA : 1)
  aie.cascade_flow(%t, %u)
  aie.wire(%t : Core, %u : DMA)
  %plio = aie.plio(3)
}

// CHECK: aie.device(npu1) {
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %tile_1_2 = aie.tile(1, 2)
// CHECK: aie.packet_flow(16) {
// CHECK: aie.packet_source<%tile_0_2, Core : 0>
// CHECK: aie.packet_dest<%tile_1_2, Core : 0>
// CHECK: aie.packet_dest<%tile_1_2, DMA : 1>
// CHECK: aie.packet_flow(31) {
// CHECK: aie.packet_source<%tile_0_2, Core : 0>
// CHECK: aie.packet_dest<%tile_1_2, Core : 0>
// CHECK: aie.packet_flow(13) {
// CHECK: aie.packet_source<%tile_0_2, Core : 1>
// CHECK: aie.packet_dest<%tile_1_2, Core : 0>
// CHECK: aie.packet_flow(3) {
// CHECK: aie.packet_source<%tile_0_2, Trace : 0>
// CHECK: aie.packet_dest<%tile_1_2, DMA : 0>
// CHECK: aie.flow(%tile_0_2, Core : 0, %tile_1_2, DMA : 1)
// CHECK: aie.flow(%tile_0_2, DMA : 0, %tile_1_2, DMA : 1)
// CHECK: aie.cascade_flow(%tile_0_2, %tile_1_2)
// CHECK: aie.wire(%tile_0_2 : Core, %tile_1_2 : DMA)
// CHECK: %0 = aie.plio(3)

// GENERIC: "aie.device"() <{device = 4 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 2 : i32}> : () -> index
// GENERIC: "aie.packet_flow"() <{ID = 16 : i8, keep_pkt_header = true}> ({
// GENERIC: "aie.packet_source"(%0) <{bundle = 0 : i32, channel = 0 : i32}> : (index) -> ()
// GENERIC: "aie.packet_dest"(%1) <{bundle = 0 : i32, channel = 0 : i32}> : (index) -> ()
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aie.flow"(%0, %1) <{dest_bundle = 1 : i32, dest_channel = 1 : i32, source_bundle = 0 : i32, source_channel = 0 : i32}> : (index, index) -> ()
// GENERIC: "aie.cascade_flow"(%0, %1) : (index, index) -> ()
// GENERIC: "aie.wire"(%0, %1) <{dest_bundle = 1 : i32, source_bundle = 0 : i32}> : (index, index) -> ()
// GENERIC: "aie.plio"() <{col = 3 : i32}> : () -> index
