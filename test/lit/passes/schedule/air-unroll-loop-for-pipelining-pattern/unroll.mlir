// RUN: allo-opt %s --air-unroll-loop-for-pipelining-pattern | filecheck %s
// RUN: not allo-opt %S/Inputs/odd.mlir --air-unroll-loop-for-pipelining-pattern 2>&1 | filecheck %s --check-prefix=ODD

// ODD: odd.mlir:5:{{.*}}runs 3 times, which is not a multiple of its label, unroll = 2

// CHECK-LABEL: func.func @part
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c2
// CHECK:   memref.store %{{.*}}, %{{.*}}[%[[I]]] {unrolled_iteration = 0 : i32}
// CHECK:   %[[J:.*]] = affine.apply {{.*}}(%[[I]])
// CHECK:   memref.store %{{.*}}, %{{.*}}[%[[J]]] {unrolled_iteration = 1 : i32}
// CHECK-NOT: unroll =
func.func @part(%m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 7 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %m[%i] : memref<4xi32>
  } {unroll = 2 : i32}
  return
}

// Unrolled as a whole the loop is gone; what it carries goes from copy to copy.

// CHECK-LABEL: func.func @whole
// CHECK-NOT: scf.for
// CHECK: %[[A:.*]] = arith.addi %c1{{.*}}, %c3{{.*}} {unrolled_iteration = 0 : i32}
// CHECK: %[[B:.*]] = arith.addi %[[A]], %c3{{.*}} {unrolled_iteration = 1 : i32}
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[B]]]
func.func @whole(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = arith.constant 7 : i32
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %c1) -> (index) {
    %n = arith.addi %s, %c3 : index
    scf.yield %n : index
  } {unroll = 2 : i32}
  memref.store %v, %m[%r] : memref<8xi32>
  return
}
