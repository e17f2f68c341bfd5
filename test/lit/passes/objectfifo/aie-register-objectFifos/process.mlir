// RUN: allo-opt %s --aie-register-objectFifos | filecheck %s

// Equal steps become a loop, others stand one after another.

// CHECK-NOT: register_process
// CHECK: aie.core(%tile_1_2) {
// CHECK:   %[[TEN:.*]] = arith.constant 10 : index
// CHECK:   scf.for %{{.*}} = %{{.*}} to %[[TEN]] step
// CHECK:     %[[S:.*]] = aie.objectfifo.acquire @of(Produce, 1)
// CHECK:     %[[E:.*]] = aie.objectfifo.subview.access %[[S]][0]
// CHECK:     func.call @producer_work(%[[E]])
// CHECK:     aie.objectfifo.release @of(Produce, 1)
// CHECK: aie.core(%tile_1_3) {
// CHECK:   aie.objectfifo.acquire @of(Consume, 2)
// CHECK-NOT: release
// CHECK:   scf.for
// CHECK:     aie.objectfifo.acquire @of(Consume, 3)
// CHECK:     aie.objectfifo.release @of(Consume, 1)
// CHECK:   }
// CHECK:   aie.objectfifo.release @of(Consume, 2)
// CHECK:   aie.end
aie.device(npu1) {
  %t12 = aie.tile(1, 2)
  %t13 = aie.tile(1, 3)
  aie.objectfifo @of(%t12, {%t13}, 4 : i32) : !aie.objectfifo<memref<16xi32>>
  %cst = arith.constant dense<1> : tensor<1xi32>
  %cst2 = arith.constant dense<[2, 3, 3, 3, 0]> : tensor<5xi32>
  %cst3 = arith.constant dense<[0, 1, 1, 1, 2]> : tensor<5xi32>
  %c10 = arith.constant 10 : index
  %c5 = arith.constant 5 : index
  func.func private @producer_work(%b: memref<16xi32>)
  func.func private @consumer_work(%b: memref<16xi32>)
  aie.objectfifo.register_process @of(Produce, %cst : tensor<1xi32>, %cst : tensor<1xi32>, @producer_work, %c10)
  aie.objectfifo.register_process @of(Consume, %cst2 : tensor<5xi32>, %cst3 : tensor<5xi32>, @consumer_work, %c5)
}
