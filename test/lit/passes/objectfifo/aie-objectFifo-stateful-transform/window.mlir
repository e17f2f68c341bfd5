// RUN: allo-opt --syntax=2026-03 %s --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s

// Neighbours share the producer's memory. What the consumer holds already is not taken again: the first turn, which takes three,
// stands alone; later ones take one more each, and come round after three.

// CHECK-DAG: %[[B0:.*]] = aie.buffer(%tile_0_2) {sym_name = "of_buff_0"}
// CHECK-DAG: %[[B1:.*]] = aie.buffer(%tile_0_2) {sym_name = "of_buff_1"}
// CHECK-DAG: %[[B2:.*]] = aie.buffer(%tile_0_2) {sym_name = "of_buff_2"}
// CHECK-DAG: %[[FREE:.*]] = aie.lock(%tile_0_2, 0) {init = 3 : i32, sym_name = "of_prod_lock_0"}
// CHECK-DAG: %[[FULL:.*]] = aie.lock(%tile_0_2, 1) {init = 0 : i32, sym_name = "of_cons_lock_0"}
// CHECK: aie.core(%tile_0_3) {
// CHECK:   aie.use_lock(%[[FULL]], AcquireGreaterEqual, 3)
// CHECK:   func.call @work(%[[B0]], %[[B2]])
// CHECK:   aie.use_lock(%[[FREE]], Release, 1)
// CHECK:   scf.for
// CHECK:     aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK:     func.call @work(%[[B1]], %[[B0]])
// CHECK:     func.call @work(%[[B2]], %[[B1]])
// CHECK:     func.call @work(%[[B0]], %[[B2]])
// CHECK:   }
// CHECK:   aie.use_lock(%[[FREE]], Release, 2)
// CHECK-NOT: aie.mem(
// CHECK-NOT: aie.flow
aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @of(%t2, {%t3}, 3 : i32) : !aie.objectfifo<memref<8xi32>>
  func.func private @work(memref<8xi32>, memref<8xi32>)
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    scf.for %i = %c0 to %c7 step %c1 {
      %s = aie.objectfifo.acquire @of(Consume, 3) : !aie.objectfifosubview<memref<8xi32>>
      %a = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      %b = aie.objectfifo.subview.access %s[2] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @work(%a, %b) : (memref<8xi32>, memref<8xi32>) -> ()
      aie.objectfifo.release @of(Consume, 1)
    }
    aie.objectfifo.release @of(Consume, 2)
    aie.end
  }
}
