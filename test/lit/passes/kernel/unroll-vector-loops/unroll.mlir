// RUN: allo-opt %s '--unroll-vector-loops=most=4 operations=8' | filecheck %s

// Three divides the six iterations of two operations, and four does not.
// CHECK-LABEL: func.func @divisor
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %[[S:.*]] {
// CHECK: vector.transfer_read %{{.*}}[%[[I]]]
// CHECK: vector.transfer_write %{{.*}}[%[[I]]]
// CHECK: %[[J:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK: vector.transfer_read %{{.*}}[%[[J]]]
// CHECK: vector.transfer_write %{{.*}}[%[[J]]]
// CHECK: %[[K:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK: vector.transfer_read %{{.*}}[%[[K]]]
// CHECK: vector.transfer_write %{{.*}}[%[[K]]]
// CHECK-NOT: vector.transfer
// CHECK: return
func.func @divisor(%x: memref<96xf32, 2>, %y: memref<96xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c96 = arith.constant 96 : index
  %pad = ub.poison : f32
  scf.for %i = %c0 to %c96 step %c16 {
    %v = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<96xf32, 2>, vector<16xf32>
    vector.transfer_write %v, %y[%i] {in_bounds = [true]} : vector<16xf32>, memref<96xf32, 2>
  }
  return
}

// A sum passes through the copies in order.
// CHECK-LABEL: func.func @sum
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}})
// CHECK: %[[B:.*]] = arith.addf %[[A]],
// CHECK: %[[C:.*]] = arith.addf %[[B]],
// CHECK: scf.yield %[[C]]
func.func @sum(%x: memref<32xf32, 2>, %zero: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %pad = ub.poison : f32
  %r = scf.for %i = %c0 to %c32 step %c16 iter_args(%a = %zero) -> (vector<16xf32>) {
    %v = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<32xf32, 2>, vector<16xf32>
    %b = arith.addf %a, %v : vector<16xf32>
    scf.yield %b : vector<16xf32>
  }
  return %r : vector<16xf32>
}

// Of seven iterations, three make one, and a second loop has the last.
// CHECK-LABEL: func.func @prime
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c96{{.*}} step %c48
// CHECK-COUNT-3: vector.transfer_write
// CHECK: scf.for %{{.*}} = %c96{{.*}} to %c112{{.*}} step %c16
// CHECK-COUNT-1: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @prime(%x: memref<112xf32, 2>, %v: vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c112 = arith.constant 112 : index
  scf.for %i = %c0 to %c112 step %c16 {
    vector.transfer_write %v, %x[%i] {in_bounds = [true]} : vector<16xf32>, memref<112xf32, 2>
  }
  return
}

// Loops over scalars, of an unknown number, and with other effects stay.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-1: memref.store
// CHECK-COUNT-2: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func private @other()
func.func @stays(%x: memref<112xf32, 2>, %n: index, %s: f32, %v: vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c96 = arith.constant 96 : index
  scf.for %i = %c0 to %c96 step %c1 {
    memref.store %s, %x[%i] : memref<112xf32, 2>
  }
  scf.for %i = %c0 to %n step %c16 {
    vector.transfer_write %v, %x[%i] {in_bounds = [true]} : vector<16xf32>, memref<112xf32, 2>
  }
  scf.for %i = %c0 to %c96 step %c16 {
    vector.transfer_write %v, %x[%i] {in_bounds = [true]} : vector<16xf32>, memref<112xf32, 2>
    func.call @other() : () -> ()
  }
  return
}
