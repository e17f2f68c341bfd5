// RUN: allo-opt %s --canonicalize | filecheck %s

air.channel @a [1, 1]
air.channel @b [1, 1]

// Joins that nothing needs go; the others are folded into what waits for them.
// CHECK-LABEL: func.func @joins
// CHECK-SAME: (%[[M:.*]]: memref<8xi32>, %[[T:.*]]: !air.async.token)
// CHECK-NEXT: %[[P:.*]] = air.channel.put async [%[[T]]] @a[]
// CHECK-NEXT: air.wait_all [%[[P]]]
// CHECK-NEXT: return
func.func @joins(%m: memref<8xi32>, %t: !air.async.token) {
  %0 = air.wait_all async
  %1 = air.wait_all async [%t, %0] {id = 3 : i32}
  %2 = air.wait_all async [%1, %t, %1]
  %3 = air.channel.put async [%2] @a[] (%m[] [] []) : (memref<8xi32>)
  %4 = air.wait_all async [%3]
  air.wait_all [%4, %0]
  air.wait_all
  return
}

// A dependence of a dependence is implied.
// CHECK-LABEL: func.func @transitive
// CHECK: %[[P:.*]] = air.channel.get async [%{{.*}}] @a[]
// CHECK: %[[Q:.*]] = air.channel.get async [%[[P]]] @a[]
// CHECK: air.wait_all [%[[Q]]]
func.func @transitive(%m: memref<8xi32>, %t: !air.async.token) {
  %0 = air.channel.get async [%t] @a[] (%m[] [] []) : (memref<8xi32>)
  %1 = air.channel.get async [%t, %0] @a[] (%m[] [] []) : (memref<8xi32>)
  air.wait_all [%t, %0, %1]
  return
}

// Two reads need no order between them, yet what follows waits for both. Uses of one channel end stay in order.
// CHECK-LABEL: func.func @reads
// CHECK-SAME: (%[[M:.*]]: memref<8xi32>, %[[T:.*]]: !air.async.token)
// CHECK: %[[P:.*]] = air.channel.put async [%[[T]]] @a[]
// CHECK: %[[Q:.*]] = air.channel.put async [%[[T]]] @b[]
// CHECK: %[[R:.*]] = air.channel.get async [%[[Q]], %[[P]]] @a[]
// CHECK: %[[S:.*]] = air.channel.put async [%[[R]]] @b[]
// CHECK: air.wait_all [%[[S]]]
func.func @reads(%m: memref<8xi32>, %t: !air.async.token) {
  %0 = air.channel.put async [%t] @a[] (%m[] [] []) : (memref<8xi32>)
  %1 = air.channel.put async [%0] @b[] (%m[] [] []) : (memref<8xi32>)
  %2 = air.channel.get async [%1] @a[] (%m[] [] []) : (memref<8xi32>)
  %3 = air.channel.put async [%1, %2] @b[] (%m[] [] []) : (memref<8xi32>)
  air.wait_all [%3]
  return
}

// Arguments may be the same memory: a write after a read stays after it.
// CHECK-LABEL: func.func @may_alias
// CHECK: %[[P:.*]] = air.channel.put async @a[]
// CHECK: air.channel.get async [%[[P]]] @b[]
func.func @may_alias(%m: memref<8xi32>, %n: memref<8xi32>) {
  %0 = air.channel.put async @a[] (%m[] [] []) : (memref<8xi32>)
  %1 = air.channel.get async [%0] @b[] (%n[] [] []) : (memref<8xi32>)
  return
}

// The token that a loop carries keeps its order; an empty join is where such a token starts.
// CHECK-LABEL: func.func @carried
// CHECK: %[[START:.*]] = air.wait_all async
// CHECK-NEXT: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[START]]) -> (!air.async.token) {
// CHECK-NEXT: %[[P:.*]] = air.channel.put async [%[[T]]] @a[]
// CHECK-NEXT: scf.yield %[[P]]
// CHECK: air.wait_all [%[[LOOP]]]
func.func @carried(%m: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = air.wait_all async
  %1 = air.wait_all async [%0]
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %1) -> (!air.async.token) {
    %3 = air.wait_all async [%t]
    %4 = air.channel.put async [%3] @a[] (%m[] [] []) : (memref<8xi32>)
    %5 = air.wait_all async [%4]
    scf.yield %5 : !air.async.token
  }
  air.wait_all [%2]
  return
}

// What the carried token implies in each iteration is dropped only where the loop hands the order on: not in the second loop.
// CHECK-LABEL: func.func @implied_by_carried
// CHECK-SAME: (%[[M:.*]]: memref<8xi32>, %[[A:.*]]: !air.async.token
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] =
// CHECK-NEXT: air.channel.put async [%[[T]]] @b[]
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] =
// CHECK-NEXT: air.channel.put async [%[[A]], %[[U]]] @b[]
func.func @implied_by_carried(%m: memref<8xi32>, %a: !air.async.token, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = air.channel.get async [%a] @a[] (%m[] [] []) : (memref<8xi32>)
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> (!air.async.token) {
    %3 = air.channel.put async [%a, %t] @b[] (%m[] [] []) : (memref<8xi32>)
    scf.yield %3 : !air.async.token
  }
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> (!air.async.token) {
    %3 = air.channel.put async [%a, %t] @b[] (%m[] [] []) : (memref<8xi32>)
    %4 = air.channel.put async @a[] (%m[] [] []) : (memref<8xi32>)
    scf.yield %4 : !air.async.token
  }
  air.wait_all [%1, %2]
  return
}

// A wait that marks a place stays.
// CHECK-LABEL: func.func @marked
// CHECK: air.wait_all async {air.launch_end}
func.func @marked() {
  %0 = air.wait_all async {air.launch_end}
  return
}
