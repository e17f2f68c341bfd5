// RUN: allo-opt %s --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s --check-prefixes=CHECK,MARCH
// RUN: allo-opt %s --aie-objectFifo-stateful-transform | filecheck %s --check-prefixes=CHECK,AUGUST
// RUN: allo-opt %s --aie-objectFifo-stateful-transform --aie-objectFifo-unroll --aie-assign-lock-ids | filecheck %s --check-prefix=MARCH

// Locks that do not count: one for each object, 1 where that is full. A window of two on three objects waits for both at first,
// then for the newer one; in August's loop the run tells whether the older one is held.

// CHECK: aie.lock(%tile_3_3{{.*}}init = 0 : i32, sym_name = "far_cons_lock_0"
// CHECK: aie.lock(%tile_1_2{{.*}}init = 1 : i32, sym_name = "far_lock_0"
// CHECK: aie.lock(%tile_1_2{{.*}}init = 1 : i32, sym_name = "far_lock_1"
// CHECK: aie.lock(%tile_1_2{{.*}}init = 0 : i32, sym_name = "of_lock_2"

// MARCH: aie.core(%tile_1_3)
// MARCH-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// MARCH-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// MARCH: aie.use_lock(%of_lock_0, Acquire, %[[ONE]])
// MARCH-NEXT: aie.use_lock(%of_lock_1, Acquire, %[[ONE]])
// MARCH-NEXT: func.call @work(%of_buff_0, %of_buff_1)
// MARCH-NEXT: aie.use_lock(%of_lock_0, Release, %[[ZERO]])
// MARCH: scf.for
// MARCH-NEXT: aie.use_lock(%of_lock_2, Acquire, %[[ONE]])
// MARCH-NEXT: func.call @work(%of_buff_1, %of_buff_2)
// MARCH-NEXT: aie.use_lock(%of_lock_1, Release, %[[ZERO]])
// MARCH-NEXT: aie.use_lock(%of_lock_0, Acquire, %[[ONE]])
// MARCH: aie.core(%tile_1_2)
// MARCH: aie.use_lock(%of_lock_0, Acquire, %c0_i32
// MARCH-NEXT: func.call @work(%of_buff_0, %of_buff_0)
// MARCH-NEXT: aie.use_lock(%of_lock_0, Release, %c1_i32

// AUGUST: aie.core(%tile_1_3)
// AUGUST: scf.for {{.*}} iter_args(%[[AT:.*]] = %{{.*}}, %[[HELD:.*]] = %{{.*}}) -> (i32, i32) {
// AUGUST:   %[[FREE:.*]] = arith.cmpi sle, %[[HELD]], %{{.*}} : i32
// AUGUST:   scf.if %[[FREE]] {
// AUGUST:     %[[OLD:.*]] = scf.index_switch %{{.*}} -> index
// AUGUST:     case 0 {
// AUGUST-NEXT:  scf.yield %of_lock_0 : index
// AUGUST:     aie.use_lock(%[[OLD]], Acquire, %
// AUGUST:   }
// AUGUST:   %[[NEW:.*]] = scf.index_switch %{{.*}} -> index
// AUGUST:     case 0 {
// AUGUST-NEXT:  scf.yield %of_lock_1 : index
// AUGUST:   aie.use_lock(%[[NEW]], Acquire, %

// CHECK: aie.mem(%tile_1_2)
// CHECK:   aie.use_lock(%far_lock_0, Acquire, %c1_i32
// CHECK:   aie.use_lock(%far_lock_0, Release, %c0_i32
// CHECK: aie.mem(%tile_3_3)
// CHECK:   aie.use_lock(%far_cons_lock_0, Acquire, %c0_i32
// CHECK:   aie.use_lock(%far_cons_lock_0, Release, %c1_i32
aie.device(xcvc1902) {
  %t2 = aie.tile(1, 2)
  %t3 = aie.tile(1, 3)
  %t9 = aie.tile(3, 3)
  aie.objectfifo @of(%t2, {%t3}, 3 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @far(%t2, {%t9}, [2, 2]) : !aie.objectfifo<memref<8xi32>> = [dense<1> : memref<8xi32>, dense<2> : memref<8xi32>]
  func.func private @work(memref<8xi32>, memref<8xi32>)
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c14 = arith.constant 14 : index
    scf.for %i = %c0 to %c14 step %c1 {
      %s = aie.objectfifo.acquire @of(Consume, 2) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      %f = aie.objectfifo.subview.access %s[1] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @work(%e, %f) : (memref<8xi32>, memref<8xi32>) -> ()
      aie.objectfifo.release @of(Consume, 1)
    }
    aie.end
  }
  aie.core(%t2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c14 = arith.constant 5 : index
    scf.for %i = %c0 to %c14 step %c1 {
      %s = aie.objectfifo.acquire @of(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @work(%e, %e) : (memref<8xi32>, memref<8xi32>) -> ()
      aie.objectfifo.release @of(Produce, 1)
    }
    aie.end
  }
}
