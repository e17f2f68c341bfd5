// RUN: allo-opt %s --aie-objectFifo-stateful-transform | filecheck %s

// August's cores: position and number held are carried by the loop, which keeps its step; what is missing to two is found at run
// time, and after three iterations the objects come round.

// CHECK: aie.core(%tile_0_3)
// CHECK: scf.for {{.*}} step %c1 iter_args(%[[AT:.*]] = %{{.*}}, %[[HELD:.*]] = %{{.*}}) -> (i32, i32) {
// CHECK:   %[[LACKS:.*]] = arith.subi %{{.*}}, %[[HELD]] : i32
// CHECK:   %[[AMOUNT:.*]] = arith.maxsi %[[LACKS]], %{{.*}} : i32
// CHECK:   aie.use_lock(%of_cons_lock_0, AcquireGreaterEqual, %[[AMOUNT]])
// CHECK:   %[[NOW:.*]] = arith.addi %[[HELD]], %[[AMOUNT]] : i32
// CHECK:   %[[CASE:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK:   %[[OBJECT:.*]] = scf.index_switch %[[CASE]] -> memref<8xi32>
// CHECK:   func.call @work(%[[OBJECT]])
// CHECK:   aie.use_lock(%of_prod_lock_0, Release
// CHECK:   %[[LEFT:.*]] = arith.subi %[[NOW]], %{{.*}} : i32
// CHECK:   scf.yield %{{.*}}, %[[LEFT]] : i32, i32
// CHECK: } {aie.unroll_hint = 3 : i32}
aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @of(%t2, {%t3}, 3 : i32) : !aie.objectfifo<memref<8xi32>>
  func.func private @work(memref<8xi32>)
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c14 = arith.constant 14 : index
    scf.for %i = %c0 to %c14 step %c1 {
      %s = aie.objectfifo.acquire @of(Consume, 2) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @work(%e) : (memref<8xi32>) -> ()
      aie.objectfifo.release @of(Consume, 1)
    }
    aie.end
  }
}
