// RUN: allo-opt %s --split-input-file --air-fuse-channels | filecheck %s

// The transfers of the second wait for those of the first, on the same channel of the bundle only; a loop is waited for whole.

// CHECK: air.channel @in [2]
// CHECK-NOT: @bias
// CHECK-LABEL: func.func @bundle
air.channel @in [2] {allo.fuse_group = 3 : i64}
air.channel @bias [2] {allo.fuse_group = 3 : i64}
func.func @bundle(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  // CHECK: %[[LOOP:.*]] = scf.for
  // CHECK: air.channel.put async [%{{.*}}] @in[%c0]
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %n = air.channel.put async [%t] @in[%c0] (%a[] [] []) : (memref<8xi32, 1>)
    scf.yield %n : !air.async.token
  }
  // CHECK: %[[ONE:.*]] = air.channel.put async @in[%c1]
  %1 = air.channel.put async @in[%c1] (%a[] [] []) : (memref<8xi32, 1>)
  // CHECK: air.channel.put async [%[[LOOP]]] @in[%c0] (%arg1
  %2 = air.channel.put async @bias[%c0] (%b[] [] []) : (memref<2xi32, 1>)
  // CHECK: air.channel.put async [%[[ONE]]] @in[%c1] (%arg1
  %3 = air.channel.put async @bias[%c1] (%b[] [] []) : (memref<2xi32, 1>)
  return
}

// -----

// What stands in front moves after, with the join of its token; what uses that stands there already.

// CHECK-LABEL: func.func @moved
air.channel @in [] {allo.fuse_group = 0 : i64}
air.channel @bias [] {allo.fuse_group = 0 : i64}
func.func @moved(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>) {
  // CHECK-NEXT: %[[FIRST:.*]] = air.channel.get async @in[] (%arg0
  // CHECK-NEXT: %[[SECOND:.*]] = air.channel.get async [%[[FIRST]]] @in[] (%arg1
  // CHECK-NEXT: %[[BOTH:.*]] = air.wait_all async [%[[SECOND]]]
  // CHECK-NEXT: air.wait_all [%[[BOTH]]]
  %0 = air.channel.get async @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  %1 = air.wait_all async [%0]
  %2 = air.channel.get async @in[] (%a[] [] []) : (memref<8xi32, 1>)
  air.wait_all [%1]
  return
}

// -----

// Without a mark a channel stays.

// CHECK-DAG: air.channel @one []
// CHECK-DAG: air.channel @two []
air.channel @one []
air.channel @two []

// -----

// A loop of nothing but the second channel's transfers moves after those of the first.

// CHECK-LABEL: func.func @moved_loop
// CHECK: %[[FIRST:.*]] = air.channel.put async @in[] (%arg0
// CHECK: scf.for
// CHECK-NEXT: air.channel.put async [%{{.*}}] @in[] (%arg1
air.channel @in [] {allo.fuse_group = 0 : i64}
air.channel @bias [] {allo.fuse_group = 0 : i64}
func.func @moved_loop(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %s = air.wait_all async
  %0 = scf.for %i = %c0 to %c8 step %c4 iter_args(%t = %s) -> (!air.async.token) {
    %n = air.channel.put async [%t] @bias[] (%b[%i] [%c4] [%c1]) : (memref<8xi32>)
    scf.yield %n : !air.async.token
  }
  %1 = air.channel.put async @in[] (%a[] [] []) : (memref<8xi32>)
  return
}

// -----

// Two herds get from two places of a broadcast: they are not ordered by what the other gets.

// CHECK-LABEL: func.func @broadcast
// CHECK: %[[A:.*]] = air.channel.put async @in[%{{.*}}] (%{{.*}}) : (memref<8xi32, 1>)
// CHECK: air.channel.put async [%[[A]]] @in[%{{.*}}] (%{{.*}}) : (memref<2xi32, 1>)
// CHECK: air.herd @one
// CHECK: %[[B:.*]] = air.channel.get async @in[
// CHECK: air.channel.get async [%[[B]]] @in[
// CHECK: air.herd @two
// CHECK: %[[C:.*]] = air.channel.get async @in[
// CHECK: air.channel.get async [%[[C]]] @in[
air.channel @in [1] {allo.fuse_group = 0 : i64, broadcast_shape = [2]}
air.channel @bias [1] {allo.fuse_group = 0 : i64, broadcast_shape = [2]}
func.func @broadcast(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = air.channel.put async @in[%c0] (%a[] [] []) : (memref<8xi32, 1>)
  %1 = air.channel.put async @bias[%c0] (%b[] [] []) : (memref<2xi32, 1>)
  %2 = air.herd @one async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %d0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    %n = memref.alloc() : memref<2xi32, 2>
    %3 = air.channel.get async @in[%d0] (%m[] [] []) : (memref<8xi32, 2>)
    %4 = air.channel.get async @bias[%d0] (%n[] [] []) : (memref<2xi32, 2>)
  }
  %5 = air.herd @two async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %d1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 2>
    %n = memref.alloc() : memref<2xi32, 2>
    %6 = air.channel.get async @in[%d1] (%m[] [] []) : (memref<8xi32, 2>)
    %7 = air.channel.get async @bias[%d1] (%n[] [] []) : (memref<2xi32, 2>)
  }
  return
}

// -----

// The members of a bundle share a loop, which moves as a whole after what its channel shall send first.

// CHECK-LABEL: func.func @members
// CHECK:         %[[A:.*]] = scf.for
// CHECK:           @in[%c0] (%arg0
// CHECK:           @in[%c1] (%arg0
// CHECK:         scf.for {{.*}}iter_args(%{{.*}} = %{{.*}})
// CHECK:           @in[%c0] (%arg1
// CHECK:           @in[%c1] (%arg1
air.channel @in [2] {allo.fuse_group = 0 : i64}
air.channel @bias [2] {allo.fuse_group = 0 : i64}
func.func @members(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<2x8xi32, 1>, %d: memref<2x8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %s = air.wait_all async
  %1 = scf.for %i = %c0 to %c8 step %c4 iter_args(%t = %s) -> (!air.async.token) {
    %5 = air.channel.put async [%t] @bias[%c0] (%b[%i] [%c4] [%c1]) : (memref<8xi32>)
    %6 = air.channel.put async [%t] @bias[%c1] (%b[%i] [%c4] [%c1]) : (memref<8xi32>)
    %7 = air.wait_all async [%5, %6]
    scf.yield %7 : !air.async.token
  }
  %2 = scf.for %i = %c0 to %c8 step %c4 iter_args(%t = %s) -> (!air.async.token) {
    %5 = air.channel.put async [%t] @in[%c0] (%a[%i] [%c4] [%c1]) : (memref<8xi32>)
    %6 = air.channel.put async [%t] @in[%c1] (%a[%i] [%c4] [%c1]) : (memref<8xi32>)
    %7 = air.wait_all async [%5, %6]
    scf.yield %7 : !air.async.token
  }
  %3 = scf.for %i = %c0 to %c8 step %c4 iter_args(%t = %s) -> (!air.async.token) {
    %5 = air.channel.get async [%t] @in[%c0] (%c[%c0, %i] [%c1, %c4] [%c8, %c1]) : (memref<2x8xi32, 1>)
    %6 = air.channel.get async [%t] @in[%c1] (%c[%c1, %i] [%c1, %c4] [%c8, %c1]) : (memref<2x8xi32, 1>)
    %7 = air.wait_all async [%5, %6]
    scf.yield %7 : !air.async.token
  }
  %4 = scf.for %i = %c0 to %c8 step %c4 iter_args(%t = %3) -> (!air.async.token) {
    %5 = air.channel.get async [%t] @bias[%c0] (%d[%c0, %i] [%c1, %c4] [%c8, %c1]) : (memref<2x8xi32, 1>)
    %6 = air.channel.get async [%t] @bias[%c1] (%d[%c1, %i] [%c1, %c4] [%c8, %c1]) : (memref<2x8xi32, 1>)
    %7 = air.wait_all async [%5, %6]
    scf.yield %7 : !air.async.token
  }
  return
}

// -----

// Both ends have another order than the declarations: no transfer moves.

// CHECK-LABEL: @order_of_the_ends
// CHECK:         air.channel.put async {{.*}}@first[] (%arg0
// CHECK:         air.channel.put async {{.*}}@first[] (%arg1
// CHECK:         air.channel.get async {{.*}}@first[] (%arg2
// CHECK:         air.channel.get async {{.*}}@first[] (%arg3
air.channel @first [] {allo.fuse_group = 0 : i64}
air.channel @second [] {allo.fuse_group = 0 : i64}
func.func @order_of_the_ends(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32, 1>, %d: memref<8xi32, 1>) {
  %1 = air.channel.put async @second[] (%a[] [] []) : (memref<8xi32>)
  air.wait_all [%1]
  %2 = air.channel.put async @first[] (%b[] [] []) : (memref<8xi32>)
  %3 = air.channel.get async @second[] (%c[] [] []) : (memref<8xi32, 1>)
  air.wait_all [%3]
  %4 = air.channel.get async @first[] (%d[] [] []) : (memref<8xi32, 1>)
  return
}

// -----

// A get that others wait for keeps its place: the puts change their order.

// CHECK-LABEL: func.func @reversed
air.channel @bias [] {allo.fuse_group = 0 : i64}
air.channel @in [] {allo.fuse_group = 0 : i64}
func.func @reversed(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>, %c: memref<8xi32, 1>, %d: memref<2xi32, 1>) {
  // CHECK-NEXT: %[[IN:.*]] = air.channel.put async @bias[] (%arg0
  // CHECK-NEXT: air.channel.put async [%[[IN]]] @bias[] (%arg1
  // CHECK-NEXT: %[[GOT:.*]] = air.channel.get async @bias[] (%arg2
  // CHECK-NEXT: air.channel.get async [%[[GOT]]] @bias[] (%arg3
  %0 = air.channel.put async @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  %1 = air.channel.put async @in[] (%a[] [] []) : (memref<8xi32, 1>)
  %2 = air.channel.get async @in[] (%c[] [] []) : (memref<8xi32, 1>)
  %3 = air.channel.get async [%2] @bias[] (%d[] [] []) : (memref<2xi32, 1>)
  return
}
