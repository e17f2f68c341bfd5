// RUN: allo-opt --syntax=2026-03 %s --air-to-std=fewest-waits=true | filecheck %s

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

// Dimensions of one element begin anywhere: where they do is added to the innermost offset.

// CHECK-LABEL: func.func @unit
// CHECK-NOT:   affine.for {{.*}} to 5
// CHECK:       %[[I:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:       %[[AT:.*]] = arith.muli %[[I]], %{{.*}} : i64
// CHECK:       %[[FROM:.*]] = arith.addi %{{.*}}, %[[AT]] : i64
// CHECK:       airrt.dma_memcpy_nd(%{{.*}}, %{{.*}}, %{{.*}}, %arg0[%{{.*}}, %{{.*}}, %{{.*}}, %[[FROM]]], [
func.func @unit(%a: memref<5x7x3x4x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %c672 = arith.constant 672 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %t = air.channel.put async @c[] (%a[%c0, %i, %c0, %c0, %c0] [%c5, %c1, %c2, %c2, %c3] [%c672, %c96, %c32, %c8, %c1]) {id = 2 : i32} : (memref<5x7x3x4x8xi32>)
    air.wait_all [%t]
  }
  return
}
