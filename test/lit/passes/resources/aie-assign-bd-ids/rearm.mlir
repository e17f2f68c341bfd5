// RUN: allo-opt %s --aie-assign-bd-ids | filecheck %s

// The channel of the binding has its first BD and its repeat; the shim's has none.
// CHECK: aie.objectfifo_rearm_binding @of_rearm {{.*}}head_bd_ids = array<i32: -1, 0>{{.*}}repeat_counts = array<i32: 0, 3>
aie.device(npu2) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) {sym_name = "b"} : memref<64xi32>
  aie.objectfifo_rearm_binding @of_rearm channels(%s, %t : index, index) locks() {channel_dirs = array<i32: 1, 0>, channel_indices = array<i32: 0, 1>, lock_inits = array<i32>}
  aie.mem(%t) {
    %0 = aie.dma_start(S2MM, 1, ^in, ^end, repeat_count = 3)
  ^in:
    aie.dma_bd(%b : memref<64xi32>)
    aie.next_bd ^end
  ^end:
    aie.end
  }
}
