// RUN: allo-opt %s --split-input-file --aie-objectFifo-stateful-transform | filecheck %s
// RUN: allo-opt %s --split-input-file --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s --check-prefix=MARCH
// RUN: allo-opt %s --split-input-file --aie-objectFifo-stateful-transform --aie-assign-lock-ids --aie-assign-bd-ids | filecheck %s --check-prefix=NUMBERS

// One object that is sent three times: the DMA repeats it, where March has three descriptors. Locks have no number. A static
// FIFO that is sent so often and no more has no locks at its source, only at its consumer.

// CHECK-LABEL: aie.device(npu2)
// CHECK-NOT: @{{.*}}table_prod_lock
// CHECK-NOT: sym_name = "table_cons_lock
// CHECK-DAG: aie.lock(%mem_tile_0_1) {init = 3 : i32, sym_name = "in_cons_prod_lock_0"}
// CHECK-DAG: aie.lock(%mem_tile_0_1) {init = 0 : i32, sym_name = "in_cons_cons_lock_0"}
// CHECK: aie.memtile_dma(%mem_tile_0_1) {
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK:   aie.dma_start(S2MM, 0, ^[[IN:.*]], ^[[NEXT:[a-z0-9]*]])
// CHECK:   aie.use_lock(%in_cons_prod_lock_0, AcquireGreaterEqual, %[[THREE]])
// CHECK:   aie.next_bd ^[[IN]]
// CHECK:   aie.dma_start(MM2S, 0, ^[[OUT:.*]], ^[[TABLE:[a-z0-9]*]], repeat_count = 2)
// CHECK: ^[[OUT]]:
// CHECK:   aie.use_lock(%in_cons_cons_lock_0, AcquireGreaterEqual, %[[ONE]])
// CHECK:   aie.next_bd ^[[OUT]]
// CHECK: ^[[TABLE]]:
// CHECK:   aie.dma_start(MM2S, 1, ^[[BD:.*]], ^{{.*}}, repeat_count = 7)
// CHECK: ^[[BD]]:
// CHECK-NEXT: aie.dma_bd(%table_buff_0
// CHECK-NEXT: aie.next_bd ^[[END:[a-z0-9]*]]
// CHECK: ^[[END]]:
// CHECK-NEXT: aie.end

// MARCH-LABEL: aie.device(npu2)
// MARCH: aie.lock(%mem_tile_0_1, 0) {init = 3 : i32, sym_name = "in_cons_prod_lock_0"}
// MARCH: aie.memtile_dma(%mem_tile_0_1) {
// MARCH: aie.dma_start(MM2S, 0, ^[[OUT:.*]], ^{{[a-z0-9]*}})
// MARCH-COUNT-3: aie.dma_bd(%in_cons_buff_0
// MARCH: aie.next_bd ^[[OUT]]
// MARCH: aie.dma_start(MM2S, 1, ^{{.*}}, ^{{.*}}, repeat_count = 3)
// MARCH-COUNT-2: aie.dma_bd(%table_buff_0
// NUMBERS-LABEL: aie.device(npu2)
// NUMBERS: aie.lock(%mem_tile_0_1, 0) {init = 3 : i32, sym_name = "in_cons_prod_lock_0"}
aie.device(npu2) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  aie.objectfifo @in(%s, {%m}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, [1, 2]) {repeat_count = 3 : i32} : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo.link [@in] -> [@out]([] [])
  aie.objectfifo @table(%m, {%t}, [1, 2]) {repeat_count = 2 : i32, iter_count = 4 : i32} : !aie.objectfifo<memref<16xi32>> = [dense<5> : memref<16xi32>]
}

// -----

// Memtiles take the largest FIFOs first; those that find no room go to the neighbour, object by object.

// CHECK-LABEL: aie.device(npu1)
// CHECK: %[[EAST:.*]] = aie.tile(2, 1)
// CHECK-DAG: aie.buffer(%mem_tile_1_1) {sym_name = "large_cons_buff_0"}
// CHECK-DAG: aie.buffer(%mem_tile_1_1) {sym_name = "large_cons_buff_1"}
// CHECK-DAG: aie.buffer(%[[EAST]]) {sym_name = "small_cons_buff_0"}
// MARCH-LABEL: aie.device(npu1)
// MARCH-DAG: aie.buffer(%mem_tile_1_1) {sym_name = "small_cons_buff_0"}
// MARCH-DAG: aie.buffer(%mem_tile_1_1) {sym_name = "large_cons_buff_0"}
// MARCH-DAG: aie.buffer(%{{.*}}) {sym_name = "large_cons_buff_1"}
aie.device(npu1) {
  %s = aie.tile(1, 0)
  %w = aie.tile(0, 1)
  %m = aie.tile(1, 1)
  %own = aie.buffer(%w) {sym_name = "own"} : memref<100xi32>
  aie.objectfifo @small(%s, {%m}, 1 : i32) : !aie.objectfifo<memref<16384xi32>>
  aie.objectfifo @large(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<60000xi32>>
}

// -----

// A FIFO that a sequence runs again: what the reset needs to know, of cores and memtiles, and the reset names that.

// CHECK-LABEL: aie.device(npu2_1col)
// CHECK: aie.objectfifo_rearm_binding @hop_rearm channels(%mem_tile_0_1, %tile_0_2 : index, index) locks(%in_cons_prod_lock_0, %in_cons_cons_lock_0, %hop_cons_prod_lock_0, %hop_cons_cons_lock_0 : index, index, index, index)
// CHECK-SAME: channel_dirs = array<i32: 1, 0>, channel_indices = array<i32: 0, 0>, lock_inits = array<i32: 2, 0, 3, 0>}
// CHECK-NEXT: aie.objectfifo_rearm_binding @in_rearm channels(%mem_tile_0_1 : index) locks(%in_cons_prod_lock_0, %in_cons_cons_lock_0 : index, index)
// CHECK-NEXT: aie.objectfifo_rearm_binding @near_rearm channels() locks(%near_prod_lock_0, %near_cons_lock_0 : index, index) {channel_dirs = array<i32>, channel_indices = array<i32>, lock_inits = array<i32: 1, 0>}
// CHECK-NOT: rearm_binding
// CHECK: aiex.dma_channel_reset_for(@hop_rearm)
// CHECK-NEXT: aiex.dma_channel_reset_for(@in_rearm)
// CHECK-NEXT: aiex.dma_channel_reset_for(@near_rearm)
// CHECK-NEXT: aiex.dma_channel_reset_for(@hop_rearm)
// NUMBERS-LABEL: aie.device(npu2_1col)
// NUMBERS: aie.objectfifo_rearm_binding @hop_rearm {{.*}}head_bd_ids = array<i32: 2, 0>, {{.*}}repeat_counts = array<i32: 0, 0>
aie.device(npu2_1col) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @hop(%m, {%t}, [2, 3]) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo.link [@in] -> [@hop]([] [])
  aie.objectfifo @near(%t, {%u}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.runtime_sequence @again() {
    aiex.dma_channel_reset_for(@hop)
    aiex.dma_channel_reset_for(@in)
    aiex.dma_channel_reset_for(@near)
    aiex.dma_channel_reset_for(@hop)
  }
}
