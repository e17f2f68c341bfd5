// RUN: allo-opt --syntax=2026-03 %s --pipeline=aie-prepare | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --pipeline=aie-prepare{alloc-scheme=basic-sequential} | filecheck %s --check-prefix=SEQ

// RUN: allo-opt %s --pipeline='aie-prepare{state=2026-08}' | filecheck %s --check-prefix=AUGUST
// RUN: allo-opt %s --pipeline='aie-prepare{state=2026-08 dynamic-objFifos=true}' | filecheck %s --check-prefix=DYNAMIC
// RUN: allo-opt --pipeline='aie-prepare{state=2026-08}' --print-pipeline | filecheck %s --check-prefix=PASSES

// ObjectFifos, affine loops around them, a cascade: all become what has numbers and addresses.

// CHECK: aie.buffer(%tile_0_2) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "in_cons_buff_0"}
// CHECK: aie.buffer(%tile_0_2) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "in_cons_buff_1"}
// CHECK: aie.lock(%tile_0_2, 1) {init = 2 : i32, sym_name = "in_cons_prod_lock_0"}
// CHECK: aie.lock(%tile_0_2, 0) {sym_name = "own"}
// CHECK: aie.configure_cascade(%tile_0_2, North, South)
// CHECK: aie.dma_bd(%in_cons_buff_0 : memref<16xi32>, 0, 16) {bd_id = 0 : i32, next_bd_id = 1 : i32}
// CHECK-NOT: objectfifo
// SEQ: aie.buffer(%tile_0_2) {address = 1088 : i32, sym_name = "in_cons_buff_1"}
// AUGUST: scf.for
// AUGUST: aie.use_lock(%in_cons_cons_lock_0, AcquireGreaterEqual
// AUGUST-NOT: unroll_hint
// AUGUST: aie.dma_bd(%in_cons_buff_0 : memref<16xi32> offset = 0 len = 16) {bd_id = 0 : i32, next_bd_id = 1 : i32}
// DYNAMIC: scf.for {{.*}} iter_args
// DYNAMIC-NOT: unroll_hint
// PASSES: aie-place-tiles,lower-affine,aie-objectFifo-stateful-transform,aie-objectFifo-unroll,aie-assign-lock-ids,aie-assign-bd-ids
aie.device(npu1) {
  %shim = aie.tile(0, 0)
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %own = aie.lock(%t2) {sym_name = "own"}
  aie.cascade_flow(%t3, %t2)
  aie.objectfifo @in(%shim, {%t2}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.core(%t2) {
    affine.for %i = 0 to 4 {
      %s = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      aie.objectfifo.release @in(Consume, 1)
    }
    aie.end
  }
}
