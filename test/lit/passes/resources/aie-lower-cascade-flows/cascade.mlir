// RUN: allo-opt %s --aie-lower-cascade-flows | filecheck %s

// CHECK-NOT: cascade_flow
// CHECK: aie.configure_cascade(%tile_0_3, North, East)
// CHECK: aie.configure_cascade(%tile_1_2, North, South)
// CHECK: aie.configure_cascade(%tile_1_3, West, South)
aie.device(npu1) {
  %a = aie.tile(0, 3)
  %b = aie.tile(1, 3)
  %c = aie.tile(1, 2)
  aie.cascade_flow(%a, %b)
  aie.cascade_flow(%b, %c)
}
