// RUN: allo-opt %s --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s

// Initial values, a DMA that was asked for, no synchronization, iterations, shared memory on the consumer's side, plio.

// CHECK-DAG: aie.buffer(%tile_0_2) {sym_name = "init_buff_1"} : memref<2xi32> = dense<[2, 3]>
// CHECK-DAG: aie.lock(%tile_0_2, {{.*}}) {init = 0 : i32, sym_name = "init_prod_lock_0"}
// CHECK-DAG: aie.lock(%tile_0_2, {{.*}}) {init = 2 : i32, sym_name = "init_cons_lock_0"}
// CHECK-DAG: aie.buffer(%tile_0_3) {sym_name = "consumer_buff_0"}
// CHECK-DAG: aie.flow(%tile_0_2, DMA : 0, %tile_0_3, DMA : 0)
// CHECK-DAG: aie.flow(%shim_noc_tile_0_0, PLIO : 0, %tile_0_4, DMA : 0)
// CHECK-NOT: free_prod_lock
// CHECK: aie.memtile_dma(%mem_tile_0_1) {
// CHECK:   aie.dma_start(S2MM, 0, ^[[BD:.*]], ^[[NEXT:.*]], repeat_count = 3)
// CHECK: ^[[BD]]:
// CHECK:   aie.next_bd ^[[END:.*]]
// CHECK: ^[[END]]:
// CHECK-NEXT: aie.end
// CHECK: aie.shim_dma_allocation @pl_shim_alloc(%shim_noc_tile_0_0, MM2S, 0) {plio = true}
aie.device(npu1) {
  %shim = aie.tile(0, 0)
  %mem = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %t4 = aie.tile(0, 4)
  aie.objectfifo @init(%t2, {%t3}, 2 : i32) {via_DMA = true} : !aie.objectfifo<memref<2xi32>> = [dense<[0, 1]>, dense<[2, 3]>]
  aie.objectfifo @consumer(%t2, {%t3}, 1 : i32) {via_shared_mem = 1 : i32} : !aie.objectfifo<memref<2xi32>>
  aie.objectfifo @free(%t2, {%t3}, 1 : i32) {disable_synchronization = true} : !aie.objectfifo<memref<2xi32>>
  aie.objectfifo @counted(%t4, {%mem}, 1 : i32) {iter_count = 4 : i32} : !aie.objectfifo<memref<2xi32>>
  aie.objectfifo @pl(%shim, {%t4}, 1 : i32) {plio = true} : !aie.objectfifo<memref<2xi32>>
}
