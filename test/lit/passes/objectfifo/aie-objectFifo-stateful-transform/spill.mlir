// RUN: allo-opt %s --split-input-file --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s

// The west neighbour has a buffer of its own and an objectFifo; the east one, which the file does not name, has more room. Locks
// stay. The ends of @big come before those of @small on the channels, though they are later in the text.

// CHECK-LABEL: aie.device(npu1)
// CHECK: %[[EAST:.*]] = aie.tile(2, 1)
// CHECK-DAG: aie.buffer(%mem_tile_1_1) {sym_name = "small_cons_buff_0"}
// CHECK-DAG: aie.buffer(%mem_tile_1_1) {sym_name = "small_cons_buff_1"}
// CHECK-DAG: aie.buffer(%mem_tile_1_1) {sym_name = "big_cons_buff_0"}
// CHECK-DAG: aie.buffer(%[[EAST]]) {sym_name = "big_cons_buff_1"}
// CHECK-DAG: aie.lock(%mem_tile_1_1, 2) {init = 2 : i32, sym_name = "big_cons_prod_lock_0"}
// CHECK-DAG: aie.buffer(%mem_tile_0_1) {sym_name = "west_cons_buff_0"}
// CHECK-DAG: aie.flow(%shim_noc_tile_1_0, DMA : 0, %mem_tile_1_1, DMA : 0)
// CHECK-DAG: aie.flow(%shim_noc_tile_2_0, DMA : 0, %mem_tile_1_1, DMA : 1)
aie.device(npu1) {
  %s0 = aie.tile(0, 0)
  %s1 = aie.tile(1, 0)
  %s2 = aie.tile(2, 0)
  %w = aie.tile(0, 1)
  %m = aie.tile(1, 1)
  %t = aie.tile(1, 2)
  %own = aie.buffer(%w) {sym_name = "own"} : memref<16384xi32>
  aie.objectfifo @small(%s2, {%m}, 2 : i32) : !aie.objectfifo<memref<8192xi32>>
  aie.objectfifo @small_out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<8192xi32>>
  aie.objectfifo.link [@small] -> [@small_out]([] [])
  aie.objectfifo @big(%s1, {%m}, 2 : i32) : !aie.objectfifo<memref<65536xi32>>
  aie.objectfifo @west(%s0, {%w}, 1 : i32) : !aie.objectfifo<memref<16384xi32>>
}

// -----

// A memtile alone keeps all of it: the assignment of addresses says what does not fit.
// CHECK-LABEL: aie.device(npu1_1col)
// CHECK-DAG: aie.buffer(%mem_tile_0_1) {sym_name = "big_cons_buff_0"}
// CHECK-DAG: aie.buffer(%mem_tile_0_1) {sym_name = "big_cons_buff_1"}
// CHECK-DAG: aie.buffer(%mem_tile_0_1) {sym_name = "big_cons_buff_2"}
aie.device(npu1_1col) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  aie.objectfifo @big(%s, {%m}, 3 : i32) : !aie.objectfifo<memref<65536xi32>>
}

// -----

// Five ends need a channel that does not reach the neighbours: their objects come first, and those of @two go away.
// CHECK-LABEL: aie.device(npu2)
// CHECK-NOT: aie.buffer(%mem_tile_{{[024-7]}}_1) {sym_name = "all
// CHECK-DAG: aie.buffer(%mem_tile_3_1) {sym_name = "all_cons_buff_1"}
// CHECK-DAG: aie.buffer(%mem_tile_3_1) {sym_name = "two_cons_buff_0"}
// CHECK-DAG: aie.buffer(%mem_tile_2_1) {sym_name = "two_cons_buff_1"}
aie.device(npu2) {
  %s3 = aie.tile(3, 0)
  %m = aie.tile(3, 1)
  %t2 = aie.tile(3, 2)
  %t3 = aie.tile(3, 3)
  %t4 = aie.tile(3, 4)
  %t5 = aie.tile(3, 5)
  %t6 = aie.tile(4, 5)
  aie.objectfifo @two(%s3, {%m}, 2 : i32) : !aie.objectfifo<memref<40000xi32>>
  aie.objectfifo @all(%s3, {%m}, 2 : i32) : !aie.objectfifo<memref<40000xi32>>
  aie.objectfifo @p2(%m, {%t2}, 1 : i32) : !aie.objectfifo<memref<8000xi32>>
  aie.objectfifo @p3(%m, {%t3}, 1 : i32) : !aie.objectfifo<memref<8000xi32>>
  aie.objectfifo @p4(%m, {%t4}, 1 : i32) : !aie.objectfifo<memref<8000xi32>>
  aie.objectfifo @p5(%m, {%t5}, 1 : i32) : !aie.objectfifo<memref<8000xi32>>
  aie.objectfifo @p6(%m, {%t6}, 1 : i32) : !aie.objectfifo<memref<8000xi32>>
  aie.objectfifo.link [@all] -> [@p2, @p3, @p4, @p5, @p6]([] [0, 8000, 16000, 24000, 32000])
}
