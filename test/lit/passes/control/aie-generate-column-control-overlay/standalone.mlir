// RUN: allo-opt %s --aie-generate-column-control-overlay=emit-standalone-overlay=true | filecheck %s
// RUN: allo-opt %s --aie-generate-column-control-overlay | filecheck %s --check-prefix=ALONE

// The overlay on its own stands before the device.
// CHECK: aie.device(npu2) @one_overlay {
// CHECK: aie.tile(0, 2)
// CHECK-NOT: aie.buffer
// CHECK: aie.packet_source<%{{.*}}, TileControl : 0>
// CHECK: aie.device(npu2) @one {
// CHECK: aie.buffer
// CHECK: aie.packet_source<%{{.*}}, TileControl : 0>
// ALONE-NOT: overlay
// ALONE: aie.device(npu2) @one {
aie.device(npu2) @one {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<8xi32>
}
