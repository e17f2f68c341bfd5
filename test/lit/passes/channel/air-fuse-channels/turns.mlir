// RUN: allo-opt %s --split-input-file --air-fuse-channels | filecheck %s

// The loops at both ends alternate, one of them unrolled: each transfer waits for the one of the other channel before it.

// CHECK-LABEL: func.func @turns
// CHECK: scf.for
// CHECK: %[[K0:.*]] = air.channel.put async [{{.*}}] @k[] (%arg0
// CHECK: %[[V0:.*]] = air.channel.put async [{{.*}}%[[K0]]] @k[] (%arg1
// CHECK: %[[K1:.*]] = air.channel.put async [%[[V0]]] @k[] (%arg0
// CHECK: air.channel.put async [%[[K1]]] @k[] (%arg1
// CHECK: scf.for
// CHECK: %[[G:.*]] = air.channel.get async [{{.*}}] @k[] (%arg2
// CHECK: air.channel.get async [{{.*}}%[[G]]] @k[] (%arg3
air.channel @k [] {allo.fuse_group = 0 : i64}
air.channel @v [] {allo.fuse_group = 0 : i64}
func.func @turns(%a: memref<8xi32, 1>, %b: memref<8xi32, 1>, %c: memref<8xi32, 2>, %d: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  %0 = scf.for %i = %c0 to %c4 step %c2 iter_args(%t = %s) -> (!air.async.token) {
    %1 = air.channel.put async [%t] @k[] (%a[] [] []) : (memref<8xi32, 1>)
    %2 = air.channel.put async [%t] @v[] (%b[] [] []) : (memref<8xi32, 1>)
    %3 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32, 1>)
    %4 = air.channel.put async @v[] (%b[] [] []) : (memref<8xi32, 1>)
    %5 = air.wait_all async [%1, %2, %3, %4]
    scf.yield %5 : !air.async.token
  }
  %6 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %7 = air.channel.get async [%t] @k[] (%c[] [] []) : (memref<8xi32, 2>)
    %8 = air.channel.get async [%t] @v[] (%d[] [] []) : (memref<8xi32, 2>)
    %9 = air.wait_all async [%7, %8]
    scf.yield %9 : !air.async.token
  }
  return
}

// -----

// Three rounds: one end is a loop unrolled by two and a loop for the rest. The transfers of the rest follow those of the first loop.

// CHECK-LABEL: func.func @rest
// CHECK: scf.for
// CHECK: %[[LOOP:.*]] = scf.for
// CHECK: %[[K0:.*]] = air.channel.get async [{{.*}}] @k[] (%arg2
// CHECK: %[[V0:.*]] = air.channel.get async [{{.*}}%[[K0]]] @k[] (%arg3
// CHECK: %[[K1:.*]] = air.channel.get async [%[[V0]]] @k[] (%arg2
// CHECK: air.channel.get async [%[[K1]]] @k[] (%arg3
// CHECK: scf.for
// CHECK: %[[K2:.*]] = air.channel.get async [{{.*}}%[[LOOP]]] @k[] (%arg2
// CHECK: air.channel.get async [{{.*}}%[[K2]], %[[LOOP]]] @k[] (%arg3
air.channel @k [] {allo.fuse_group = 0 : i64}
air.channel @v [] {allo.fuse_group = 0 : i64}
func.func @rest(%a: memref<8xi32, 1>, %b: memref<8xi32, 1>, %c: memref<8xi32, 2>, %d: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %s = air.wait_all async
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %1 = air.channel.put async [%t] @k[] (%a[] [] []) : (memref<8xi32, 1>)
    %2 = air.channel.put async [%t] @v[] (%b[] [] []) : (memref<8xi32, 1>)
    %3 = air.wait_all async [%1, %2]
    scf.yield %3 : !air.async.token
  }
  %4 = scf.for %i = %c0 to %c2 step %c2 iter_args(%t = %s) -> (!air.async.token) {
    %5 = air.channel.get async [%t] @k[] (%c[] [] []) : (memref<8xi32, 2>)
    %6 = air.channel.get async [%t] @v[] (%d[] [] []) : (memref<8xi32, 2>)
    %7 = air.channel.get async @k[] (%c[] [] []) : (memref<8xi32, 2>)
    %8 = air.channel.get async @v[] (%d[] [] []) : (memref<8xi32, 2>)
    %9 = air.wait_all async [%5, %6, %7, %8]
    scf.yield %9 : !air.async.token
  }
  %10 = scf.for %i = %c2 to %c3 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %11 = air.channel.get async [%t] @k[] (%c[] [] []) : (memref<8xi32, 2>)
    %12 = air.channel.get async [%t] @v[] (%d[] [] []) : (memref<8xi32, 2>)
    %13 = air.wait_all async [%11, %12]
    scf.yield %13 : !air.async.token
  }
  return
}
