// RUN: allo-opt %s --canonicalize | filecheck %s

// Nothing to execute: the token is that of what it waited for.
// CHECK-LABEL: func.func @empty
// CHECK-SAME: (%[[T:.*]]: !air.async.token)
// CHECK-NEXT: air.wait_all [%[[T]]]
// CHECK-NEXT: return
func.func @empty(%t: !air.async.token) {
  %0 = air.execute [%t] {
  }
  air.wait_all [%0]
  return
}

// Arithmetic needs no asynchronous execution.
// CHECK-LABEL: func.func @pure
// CHECK-SAME: (%[[T:[^:]*]]: !air.async.token, %[[I:.*]]: index)
// CHECK-NEXT: %[[V:.*]] = affine.apply #{{.*}}()[%[[I]]]
// CHECK-NEXT: air.wait_all [%[[T]]]
// CHECK-NEXT: return %[[V]]
func.func @pure(%t: !air.async.token, %i: index) -> index {
  %0, %v = air.execute [%t] -> (index) {
    %1 = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%i]
    air.execute_terminator %1 : index
  }
  air.wait_all [%0]
  return %v : index
}

// Values from outside and constants are not made by the execution; an allocation is.
// CHECK-LABEL: func.func @forwarded
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK-DAG: %[[C:.*]] = arith.constant 7 : index
// CHECK: %{{.*}}, %[[M:.*]] = air.execute -> (memref<4xi32, 2>) {
// CHECK-NEXT: memref.alloc()
// CHECK: return %[[I]], %[[C]], %[[M]]
func.func @forwarded(%i: index) -> (index, index, memref<4xi32, 2>) {
  %0, %a, %b, %m, %unused = air.execute -> (index, index, memref<4xi32, 2>, memref<4xi32, 2>) {
    %c7 = arith.constant 7 : index
    %alloc = memref.alloc() : memref<4xi32, 2>
    air.execute_terminator %i, %c7, %alloc, %alloc : index, index, memref<4xi32, 2>, memref<4xi32, 2>
  }
  return %a, %b, %m : index, index, memref<4xi32, 2>
}

// What has an effect stays, with its order.
// CHECK-LABEL: func.func @effects
// CHECK-SAME: (%[[T:.*]]: !air.async.token
// CHECK: %[[E:.*]] = air.execute [%[[T]]] {
// CHECK-NEXT: memref.store
// CHECK: %{{.*}} = air.execute [%[[E]]] -> (i32) {
// CHECK-NEXT: memref.load
func.func @effects(%t: !air.async.token, %m: memref<4xi32>, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %0 = air.execute [%t] {
    memref.store %v, %m[%c0] : memref<4xi32>
  }
  %1, %r = air.execute [%0] -> (i32) {
    %2 = memref.load %m[%c0] : memref<4xi32>
    air.execute_terminator %2 : i32
  }
  return %r : i32
}
