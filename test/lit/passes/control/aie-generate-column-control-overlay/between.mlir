// RUN: allo-opt %s --aie-generate-column-control-overlay | filecheck %s
// RUN: allo-opt %s --aie-generate-column-control-overlay --syntax=2026-03 | filecheck %s --check-prefix=MARCH

// Columns between those that have tiles get the overlay, too; in March they did not.
// CHECK: aie.tile(2, 0) {controller_id
// CHECK: aie.packet_source<%{{.*}}_1_0, TileControl : 0>
// CHECK: aie.packet_source<%{{.*}}_2_0, TileControl : 0>
// CHECK: aie.packet_source<%{{.*}}_3_0, TileControl : 0>
// MARCH-NOT: aie.tile(2, 0)
// MARCH: aie.packet_source<%{{.*}}_1_0, TileControl : 0>
// MARCH: aie.packet_source<%{{.*}}_3_0, TileControl : 0>
aie.device(npu1) {
  %a = aie.tile(1, 2)
  %b = aie.tile(3, 2)
}
