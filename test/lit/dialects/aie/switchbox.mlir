// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: switchbox.

aie.device(npu2) {
  %t = aie.tile(0, 2)
  %s = aie.switchbox(%t) {
    %a0 = aie.amsel<0>(0)
    %a1 = aie.amsel<1> (3)
    %a2 = aie.amsel< 0x2 > ( 0x1 )
    %m0 = aie.masterset(DMA : 0, %a0)
    %m1 = aie.masterset("North" : 1, %a1)
    %m2 = aie.masterset(South : 2, %a1) {keep_pkt_header = true}
    aie.packet_rules(East : 0) {
      aie.rule(0x1F, 0x1, %a0)
      aie.rule(28, 4, %a1) {packet_ids = [1,2,3]}
    }
    aie.packetrules(East : 1) { aie.packet_rule(31, 2, %a2) }
    aie.connect<Core:0,East:2>
  }
}

// CHECK: aie.device(npu2) {
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %switchbox_0_2 = aie.switchbox(%tile_0_2) {
// CHECK: %0 = aie.amsel<0> (0)
// CHECK: %1 = aie.amsel<1> (3)
// CHECK: %2 = aie.amsel<2> (1)
// CHECK: %3 = aie.masterset(DMA : 0, %0)
// CHECK: %4 = aie.masterset(North : 1, %1)
// CHECK: %5 = aie.masterset(South : 2, %1) {keep_pkt_header = true}
// CHECK: aie.packet_rules(East : 0) {
// CHECK: aie.rule(31, 1, %0)
// CHECK: aie.rule(28, 4, %1) {packet_ids = [1, 2, 3]}
// CHECK: aie.packet_rules(East : 1) {
// CHECK: aie.rule(31, 2, %2)
// CHECK: aie.connect<Core : 0, East : 2>

// GENERIC: "aie.device"() <{device = 8 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 2 : i32}> : () -> index
// GENERIC: "aie.switchbox"(%0) ({
// GENERIC: "aie.amsel"() <{arbiterID = 0 : i8, msel = 0 : i8}> : () -> index
// GENERIC: "aie.masterset"(%2) <{dest_bundle = 1 : i32, dest_channel = 0 : i32}> : (index) -> index
// GENERIC: "aie.packet_rules"() <{source_bundle = 6 : i32, source_channel = 0 : i32}> ({
// GENERIC: "aie.rule"(%2) <{mask = 31 : i8, value = 1 : i8}> : (index) -> ()
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aie.connect"() <{dest_bundle = 6 : i32, dest_channel = 2 : i32, source_bundle = 0 : i32, source_channel = 0 : i32}> : () -> ()
