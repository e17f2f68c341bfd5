// RUN: allo-opt %s --air-to-std | filecheck %s

// Five dimensions of which one ends where the next outer one goes on are four; an offset in the outer one counts for both.

// CHECK-LABEL: func.func @merged
// CHECK-DAG:   %[[C24:.*]] = arith.constant 24 : i64
// CHECK-NOT:   affine.for
// CHECK:       airrt.dma_memcpy_nd(%{{.*}}, %{{.*}}, %{{.*}}, %arg0[%{{.*}}, %{{.*}}, %{{.*}}, %[[AT:.*]]], [%{{.*}}, %{{.*}}, %{{.*}}, %[[C24]]], [
air.channel @c [1, 1]
func.func @merged(%a: memref<2x2x2x4x12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %c60 = arith.constant 60 : index
  %c120 = arith.constant 120 : index
  %c240 = arith.constant 240 : index
  %t = air.channel.put async @c[] (%a[%c0, %c0, %c0, %c1, %c0] [%c2, %c2, %c2, %c2, %c12] [%c240, %c120, %c60, %c12, %c1]) {id = 1 : i32} : (memref<2x2x2x4x12xi32>)
  air.wait_all [%t]
  return
}
