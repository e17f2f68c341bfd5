// RUN: allo-opt %s --aie-assign-lock-ids | filecheck %s

// Numbers given by hand stay; each tile counts for itself.

// CHECK: aie.lock(%tile_0_2, 1) {sym_name = "a"}
// CHECK: aie.lock(%tile_0_2, 0) {sym_name = "b"}
// CHECK: aie.lock(%tile_0_2, 2) {sym_name = "c"}
// CHECK: aie.lock(%mem_tile_0_1, 0) {sym_name = "d"}
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %a = aie.lock(%t) {sym_name = "a"}
  %b = aie.lock(%t, 0) {sym_name = "b"}
  %c = aie.lock(%t) {sym_name = "c"}
  %d = aie.lock(%m) {sym_name = "d"}
}
