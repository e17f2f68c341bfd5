// RUN: allo-opt %s --split-input-file --aie-objectFifo-stateful-transform --aie-objectFifo-unroll | filecheck %s

// Five objects of two in each round of the outer loop: that begins at the other one every time, so it is unrolled as well.

// CHECK-LABEL: aie.device(npu1)
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     func.call @work(%of_buff_0)
// CHECK:     func.call @work(%of_buff_1)
// CHECK:   }
// CHECK:   func.call @work(%of_buff_0)
// CHECK:   scf.for
// CHECK:     func.call @work(%of_buff_1)
// CHECK:     func.call @work(%of_buff_0)
// CHECK:   }
// CHECK:   func.call @work(%of_buff_1)
// CHECK: }
// CHECK-NOT: index_switch
aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @of(%t2, {%t3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  func.func private @work(memref<8xi32>)
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %max = arith.constant 9223372036854775806 : index
    scf.for %n = %c0 to %max step %c1 {
      scf.for %i = %c0 to %c5 step %c1 {
        %s = aie.objectfifo.acquire @of(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        func.call @work(%e) : (memref<8xi32>) -> ()
        aie.objectfifo.release @of(Consume, 1)
      }
    }
    aie.end
  }
}

// -----

// A number of iterations that the run tells: whole turns, and a loop for the rest, which chooses at run time.

// CHECK-LABEL: aie.device(npu2)
// CHECK: %[[TRIPS:.*]] = memref.load
// CHECK: %[[REST:.*]] = arith.remsi
// CHECK: %[[WHOLE:.*]] = arith.subi %{{.*}}, %[[REST]] : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[WHOLE]] step
// CHECK-NEXT: aie.use_lock
// CHECK-NEXT: func.call @work(%of_buff_0)
// CHECK-NEXT: aie.use_lock
// CHECK-NEXT: aie.use_lock
// CHECK-NEXT: func.call @work(%of_buff_1)
// CHECK-NEXT: aie.use_lock
// CHECK-NEXT: }
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to %{{.*}} iter_args
// CHECK:   scf.index_switch
aie.device(npu2) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %n = aie.buffer(%t3) {sym_name = "n"} : memref<1xindex>
  aie.objectfifo @of(%t2, {%t3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  func.func private @work(memref<8xi32>)
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %trips = memref.load %n[%c0] : memref<1xindex>
    scf.for %i = %c0 to %trips step %c1 {
      %s = aie.objectfifo.acquire @of(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @work(%e) : (memref<8xi32>) -> ()
      aie.objectfifo.release @of(Consume, 1)
    }
    aie.end
  }
}

// -----

// Which object comes next depends on a branch: nothing is gained by unrolling, and the loop stays as it is except for its hint.

// CHECK-LABEL: aie.device(npu1_1col)
// CHECK: scf.for {{.*}} step %c1 iter_args
// CHECK:   scf.index_switch
// CHECK:   }
// CHECK-NOT: index_switch
// CHECK-NOT: unroll_hint
aie.device(npu1_1col) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %n = aie.buffer(%t3) {sym_name = "n"} : memref<8xi1>
  aie.objectfifo @of(%t2, {%t3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  func.func private @work(memref<8xi32>)
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %s = aie.objectfifo.acquire @of(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @work(%e) : (memref<8xi32>) -> ()
      %done = memref.load %n[%i] : memref<8xi1>
      scf.if %done {
        aie.objectfifo.release @of(Consume, 1)
      }
    }
    aie.end
  }
}

// -----

// Without a core that holds hints, nothing changes.

// CHECK-LABEL: aie.device(npu2_1col)
// CHECK: aie.core
// CHECK-NEXT: arith.constant 7 : i32
// CHECK-NEXT: aie.end
aie.device(npu2_1col) {
  %t2 = aie.tile(0, 2)
  aie.core(%t2) {
    %unused = arith.constant 7 : i32
    aie.end
  }
}
