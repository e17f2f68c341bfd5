// RUN: allo-opt --syntax=2026-03 %s --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s

// A distribute: the larger objects are stored, a pair of locks for each part; the outgoing FIFOs send one part each, twice.

// CHECK-DAG: %[[B:in_cons_buff_0]] = aie.buffer(%mem_tile_0_1) {{.*}} : memref<24xi32>
// CHECK-DAG: %[[P0:.*]] = aie.lock(%mem_tile_0_1, 0) {init = 2 : i32, sym_name = "in_cons_prod_lock_0"}
// CHECK-DAG: %[[C0:.*]] = aie.lock(%mem_tile_0_1, 1) {init = 0 : i32, sym_name = "in_cons_cons_lock_0"}
// CHECK-DAG: %[[P1:.*]] = aie.lock(%mem_tile_0_1, 2) {init = 2 : i32, sym_name = "in_cons_prod_lock_1"}
// CHECK-DAG: %[[C1:.*]] = aie.lock(%mem_tile_0_1, 3) {init = 0 : i32, sym_name = "in_cons_cons_lock_1"}
// CHECK: aie.memtile_dma(%mem_tile_0_1) {
// CHECK:   aie.dma_start(S2MM, 0
// CHECK:   aie.use_lock(%[[P0]], AcquireGreaterEqual, 2)
// CHECK:   aie.dma_bd(%[[B]] : memref<24xi32>, 0, 16)
// CHECK:   aie.use_lock(%[[C0]], Release, 2)
// CHECK:   aie.use_lock(%[[P1]], AcquireGreaterEqual, 2)
// CHECK:   aie.dma_bd(%[[B]] : memref<24xi32>, 16, 8)
// CHECK:   aie.use_lock(%[[C1]], Release, 2)
// CHECK:   aie.dma_start(MM2S, 0
// CHECK:   aie.dma_bd(%[[B]] : memref<24xi32>, 0, 16, [<size = 4, stride = 4>, <size = 4, stride = 1>])
// CHECK:   aie.dma_bd(%[[B]] : memref<24xi32>, 0, 16, [<size = 4, stride = 4>, <size = 4, stride = 1>])
// CHECK:   aie.dma_start(MM2S, 1
// CHECK:   aie.use_lock(%[[C1]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[B]] : memref<24xi32>, 16, 8)
// CHECK:   aie.use_lock(%[[P1]], Release, 1)
aie.device(npu1) {
  %shim = aie.tile(0, 0)
  %mem = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @in(%shim, {%mem}, 1 : i32) : !aie.objectfifo<memref<24xi32>>
  aie.objectfifo @a(%mem dimensionsToStream [<size = 4, stride = 4>, <size = 4, stride = 1>], {%t2}, 1 : i32) {repeat_count = 2 : i32} : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @b(%mem, {%t3}, 1 : i32) {repeat_count = 2 : i32} : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo.link [@in] -> [@a, @b]([] [0, 16])
}
