// RUN: allo-opt --syntax=2026-03 %s --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s

// What is held at the loop's head depends on the branch: a counter after that of the position tells what is missing to two.
// The FIFO @sure is held as its text says: no counter, no switch.

// CHECK: %[[COUNT:.*]] = aie.buffer(%tile_0_3) {sym_name = "objectfifo_counters_0_3"} : memref<2xi32>
// CHECK: aie.core(%tile_0_3) {
// CHECK:   scf.for
// CHECK:     %[[TWO:.*]] = arith.constant 2 : i32
// CHECK:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK:     %[[HELD:.*]] = memref.load %[[COUNT]][%[[ONE]]] : memref<2xi32>
// CHECK:     %[[MISSING:.*]] = arith.subi %[[TWO]], %[[HELD]] : i32
// CHECK:     %[[CASE:.*]] = arith.index_cast %[[MISSING]] : i32 to index
// CHECK:     scf.index_switch %[[CASE]]
// CHECK-NEXT: case 1 {
// CHECK-NEXT:   aie.use_lock(%of_cons_lock_0, AcquireGreaterEqual, 1)
// CHECK:      case 2 {
// CHECK-NEXT:   aie.use_lock(%of_cons_lock_0, AcquireGreaterEqual, 2)
// CHECK:      default {
// CHECK-NEXT: }
// CHECK:     aie.use_lock(%sure_cons_lock_0, AcquireGreaterEqual, 1)
// CHECK:     scf.if
// CHECK:       aie.use_lock(%of_prod_lock_0, Release, 2)
// CHECK:       arith.subi
// CHECK:     } else {
// CHECK:       aie.use_lock(%of_prod_lock_0, Release, 1)
// CHECK:     aie.use_lock(%sure_prod_lock_0, Release, 1)
aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @of(%t2, {%t3}, 3 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @sure(%t2, {%t3}, 1 : i32) : !aie.objectfifo<memref<8xi1>>
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    scf.for %i = %c0 to %c9 step %c1 {
      %s = aie.objectfifo.acquire @of(Consume, 2) : !aie.objectfifosubview<memref<8xi32>>
      %f = aie.objectfifo.acquire @sure(Consume, 1) : !aie.objectfifosubview<memref<8xi1>>
      %e = aie.objectfifo.subview.access %f[0] : !aie.objectfifosubview<memref<8xi1>> -> memref<8xi1>
      %c = memref.load %e[%c0] : memref<8xi1>
      scf.if %c {
        aie.objectfifo.release @of(Consume, 2)
      } else {
        aie.objectfifo.release @of(Consume, 1)
      }
      aie.objectfifo.release @sure(Consume, 1)
    }
    aie.end
  }
}
