// RUN: allo-opt %s --aie-objectFifo-stateful-transform --aie-objectFifo-unroll | filecheck %s
// RUN: allo-opt %s --aie-objectFifo-stateful-transform --aie-objectFifo-unroll=default-dynamic=true | filecheck %s --check-prefix=DYNAMIC
// RUN: allo-opt %s --aie-objectFifo-stateful-transform --aie-objectFifo-unroll=peel-first-iteration=false | filecheck %s --check-prefix=WHOLE
// RUN: allo-opt %s --aie-objectFifo-stateful-transform --aie-objectFifo-unroll=peel-first-iteration=true | filecheck %s --check-prefix=PEELED

// A window of two on three objects: the first iteration waits for both, the others for one. 14 are 1, 4 times 3, and 1.

// CHECK-LABEL: aie.core(%tile_0_3)
// CHECK-DAG:   %[[TWO:.*]] = arith.constant 2 : i32
// CHECK-DAG:   %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG:   %[[STEP:.*]] = arith.constant 3 : index
// CHECK-DAG:   %[[FIRST:.*]] = arith.constant 1 : index
// CHECK-DAG:   %[[END:.*]] = arith.constant 13 : index
// CHECK:       aie.use_lock(%of_cons_lock_0, AcquireGreaterEqual, %[[TWO]])
// CHECK-NEXT:  func.call @work(%of_buff_0, %of_buff_1)
// CHECK-NEXT:  aie.use_lock(%of_prod_lock_0, Release, %[[ONE]])
// CHECK-NEXT:  scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %[[STEP]] {
// CHECK-NEXT:    aie.use_lock(%of_cons_lock_0, AcquireGreaterEqual, %[[ONE]])
// CHECK-NEXT:    func.call @work(%of_buff_1, %of_buff_2)
// CHECK:         func.call @work(%of_buff_2, %of_buff_0)
// CHECK:         func.call @work(%of_buff_0, %of_buff_1)
// CHECK-NEXT:    aie.use_lock(%of_prod_lock_0, Release, %[[ONE]])
// CHECK-NEXT:  }
// CHECK:       func.call @work(%of_buff_1, %of_buff_2)
// CHECK-NOT:   func.call
// CHECK-NOT:   unroll_hint
// CHECK:       aie.end

// DYNAMIC-LABEL: aie.core(%tile_0_3)
// DYNAMIC:       scf.for {{.*}} iter_args
// DYNAMIC:         scf.index_switch
// DYNAMIC-NOT:     unroll_hint
// DYNAMIC:       aie.end

// WHOLE-LABEL: aie.core(%tile_0_3)
// WHOLE-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// WHOLE-DAG:     %[[END:.*]] = arith.constant 12 : index
// WHOLE:         scf.for %{{.*}} = %[[ZERO]] to %[[END]] {{.*}} iter_args
// WHOLE:           %[[AMOUNT:.*]] = arith.maxsi
// WHOLE:           aie.use_lock(%of_cons_lock_0, AcquireGreaterEqual, %[[AMOUNT]])
// WHOLE:           func.call @work(%of_buff_0, %of_buff_1)
// WHOLE-NOT:     index_switch
// WHOLE:         aie.end

// The core of the other tile says what it wants, which counts more than the option; acquires of none are gone where it is unrolled.

// CHECK-LABEL: aie.core(%tile_0_2)
// CHECK:         scf.for
// CHECK:           scf.index_switch
// CHECK:       } {dynamic_objfifo_lowering = true}
// DYNAMIC-LABEL: aie.core(%tile_0_4)
// DYNAMIC:       aie.use_lock(%n_cons_lock_0, AcquireGreaterEqual
// DYNAMIC-NEXT:  func.call @one(%n_buff_0)
// DYNAMIC-NEXT:  func.call @one(%n_buff_0)
// DYNAMIC-NEXT:  aie.use_lock(%n_prod_lock_0, Release
// DYNAMIC-NEXT:  aie.use_lock(%n_cons_lock_0, AcquireGreaterEqual
// DYNAMIC-NEXT:  func.call @one(%n_buff_1)
// DYNAMIC-NOT:   aie.use_lock
// DYNAMIC:       } {dynamic_objfifo_lowering = false}

// PEELED-LABEL: aie.core(%tile_0_3)
// PEELED:       func.call @work(%of_buff_0, %of_buff_1)
// PEELED:       scf.for
aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %t4 = aie.tile(0, 4)
  aie.objectfifo @of(%t2, {%t3}, 3 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @n(%t3, {%t4}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  func.func private @work(memref<8xi32>, memref<8xi32>)
  func.func private @one(memref<8xi32>)
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
    %c15 = arith.constant 15 : index
    scf.for %i = %c0 to %c15 step %c1 {
      %s = aie.objectfifo.acquire @of(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @one(%e) : (memref<8xi32>) -> ()
      aie.objectfifo.release @of(Produce, 1)
    }
    aie.end
  } {dynamic_objfifo_lowering = true}
  aie.core(%t4) {
    %s = aie.objectfifo.acquire @n(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
    %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
    func.call @one(%e) : (memref<8xi32>) -> ()
    %again = aie.objectfifo.acquire @n(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
    %same = aie.objectfifo.subview.access %again[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
    func.call @one(%same) : (memref<8xi32>) -> ()
    aie.objectfifo.release @n(Consume, 1)
    %t = aie.objectfifo.acquire @n(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
    %g = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
    func.call @one(%g) : (memref<8xi32>) -> ()
    aie.end
  } {dynamic_objfifo_lowering = false}
}
