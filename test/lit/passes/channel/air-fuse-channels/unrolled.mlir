// RUN: allo-opt %s --split-input-file --air-fuse-channels | filecheck %s

// The loop at one end has been unrolled whole: the transfers take turns in the order of its rounds.

// CHECK-LABEL: func.func @unrolled
// CHECK: %[[K0:.*]] = air.channel.put async @k[] (%arg0
// CHECK: %[[V0:.*]] = air.channel.put async [%[[K0]]] @k[] (%arg1
// CHECK: %[[K1:.*]] = air.channel.put async [%[[V0]]] @k[] (%arg0
// CHECK: air.channel.put async [%[[K1]]] @k[] (%arg1
air.channel @k [] {allo.fuse_group = 0 : i64}
air.channel @v [] {allo.fuse_group = 0 : i64}
func.func @unrolled(%a: memref<8xi32, 1>, %b: memref<8xi32, 1>, %c: memref<8xi32, 2>, %d: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = air.wait_all async
  %1 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32, 1>)
  %2 = air.channel.put async @v[] (%b[] [] []) : (memref<8xi32, 1>)
  %3 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32, 1>)
  %4 = air.channel.put async @v[] (%b[] [] []) : (memref<8xi32, 1>)
  %6 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %7 = air.channel.get async [%t] @k[] (%c[] [] []) : (memref<8xi32, 2>)
    %8 = air.channel.get async [%t] @v[] (%d[] [] []) : (memref<8xi32, 2>)
    %9 = air.wait_all async [%7, %8]
    scf.yield %9 : !air.async.token
  }
  return
}

// -----

// Unrolled at both ends, where the second round comes after what waits for the first.

// CHECK-LABEL: func.func @both
// CHECK: %[[P0:.*]] = air.channel.put async @k[] (%arg0
// CHECK: %[[P1:.*]] = air.channel.put async [%[[P0]]] @k[] (%arg1
// CHECK: %[[P2:.*]] = air.channel.put async [%[[P0]], %[[P1]]] @k[] (%arg0
// CHECK: air.channel.put async [%[[P1]], %[[P2]]] @k[] (%arg1
// CHECK: %[[G0:.*]] = air.channel.get async @k[] (%arg2
// CHECK: %[[G1:.*]] = air.channel.get async [%[[G0]]] @k[] (%arg3
// CHECK: air.execute [%[[G0]], %[[G1]]]
// CHECK: %[[G2:.*]] = air.channel.get async [{{.*}}%[[G1]]] @k[] (%arg2
// CHECK: air.channel.get async [{{.*}}%[[G2]]] @k[] (%arg3
air.channel @k [] {allo.fuse_group = 0 : i64}
air.channel @v [] {allo.fuse_group = 0 : i64}
func.func @both(%a: memref<8xi32, 1>, %b: memref<8xi32, 1>, %c: memref<8xi32, 2>, %d: memref<8xi32, 2>, %r: memref<8xi32, 2>) {
  %1 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32, 1>)
  %2 = air.channel.put async @v[] (%b[] [] []) : (memref<8xi32, 1>)
  %3 = air.channel.put async [%1] @k[] (%a[] [] []) : (memref<8xi32, 1>)
  %4 = air.channel.put async [%2] @v[] (%b[] [] []) : (memref<8xi32, 1>)
  %5 = air.channel.get async @k[] (%c[] [] []) : (memref<8xi32, 2>)
  %6 = air.channel.get async @v[] (%d[] [] []) : (memref<8xi32, 2>)
  %7 = air.execute [%5, %6] {
    linalg.add ins(%c, %d : memref<8xi32, 2>, memref<8xi32, 2>) outs(%r : memref<8xi32, 2>)
  }
  %8 = air.channel.get async [%7] @k[] (%c[] [] []) : (memref<8xi32, 2>)
  %9 = air.channel.get async [%7] @v[] (%d[] [] []) : (memref<8xi32, 2>)
  return
}

// -----

// One channel twice in each round, and the loop unrolled whole at the other end: the same transfers one after another.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-6: air.channel.put async {{.*}}@k[]
// CHECK: scf.for
// CHECK-COUNT-3: air.channel.get async {{.*}}@k[]
// CHECK-NOT: @v
air.channel @k [] {allo.fuse_group = 0 : i64}
air.channel @v [] {allo.fuse_group = 0 : i64}
func.func @twice(%a: memref<8xi32, 1>, %b: memref<8xi32, 1>, %c: memref<8xi32, 2>, %d: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = air.wait_all async
  %p0 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32, 1>)
  %p1 = air.channel.put async @v[] (%b[] [] []) : (memref<8xi32, 1>)
  %p2 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32, 1>)
  %p3 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32, 1>)
  %p4 = air.channel.put async @v[] (%b[] [] []) : (memref<8xi32, 1>)
  %p5 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32, 1>)
  %6 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %1 = air.channel.get async [%t] @k[] (%c[] [] []) : (memref<8xi32, 2>)
    %2 = air.channel.get async [%t] @v[] (%d[] [] []) : (memref<8xi32, 2>)
    %3 = air.channel.get async [%1] @k[] (%c[] [] []) : (memref<8xi32, 2>)
    %5 = air.wait_all async [%1, %2, %3]
    scf.yield %5 : !air.async.token
  }
  return
}

// -----

// The host's puts come in the order of the cores' gets.
// CHECK-LABEL: func.func @sorted
// CHECK: air.launch
// CHECK: air.channel.put async {{.*}}@k[] (%[[A:.*]][] [] [])
// CHECK: air.channel.put async {{.*}}@k[] (%[[B:.*]][] [] [])
// CHECK: air.channel.put async {{.*}}@k[] (%[[A]][] [] [])
// CHECK: air.channel.put async {{.*}}@k[] (%[[B]][] [] [])
// CHECK-NOT: @v
air.channel @k [] {allo.fuse_group = 0 : i64}
air.channel @v [] {allo.fuse_group = 0 : i64}
func.func @sorted(%x: memref<8xi32>, %y: memref<8xi32>) {
  %n1 = arith.constant 1 : index
  air.launch (%l) in (%n = %n1) args(%a = %x, %b = %y) : memref<8xi32>, memref<8xi32> {
    %p0 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32>)
    %p1 = air.channel.put async @k[] (%a[] [] []) : (memref<8xi32>)
    %p2 = air.channel.put async @v[] (%b[] [] []) : (memref<8xi32>)
    %p3 = air.channel.put async @v[] (%b[] [] []) : (memref<8xi32>)
    %c1 = arith.constant 1 : index
    air.herd @h tile (%i, %j) in (%w = %c1, %h = %c1) {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c = memref.alloc() : memref<8xi32, 2>
      %d = memref.alloc() : memref<8xi32, 2>
      %s = air.wait_all async
      %6 = scf.for %q = %c0 to %c2 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
        %1 = air.channel.get async [%t] @k[] (%c[] [] []) : (memref<8xi32, 2>)
        %2 = air.channel.get async [%1] @v[] (%d[] [] []) : (memref<8xi32, 2>)
        scf.yield %2 : !air.async.token
      }
    }
    %e = air.wait_all async [%p0, %p1, %p2, %p3]
  }
  return
}
