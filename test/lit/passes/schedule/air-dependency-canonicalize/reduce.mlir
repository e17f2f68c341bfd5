// RUN: allo-opt %s --air-dependency-canonicalize | filecheck %s

#set = affine_set<()[s0] : (s0 == 0)>
air.channel @a []
air.channel @b []

// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]] = air.channel.get async @a[] {{.*}} {id = 1 : i32}
// CHECK: %[[B:.*]] = air.channel.get async [%[[A]]] @b[] {{.*}} {id = 2 : i32}
// CHECK: air.channel.put async [%[[B]]] @a[] {{.*}} {id = 3 : i32}
func.func @chain(%m: memref<8xi32>) {
  %0 = air.channel.get async @a[] (%m[] [] []) {id = 7 : i32} : (memref<8xi32>)
  %1 = air.channel.get async [%0, %0] @b[] (%m[] [] []) : (memref<8xi32>)
  %2 = air.channel.put async [%1, %0, %1] @a[] (%m[] [] []) : (memref<8xi32>)
  return
}

// A loop's token stands for the one it starts from, if its iterations wait for each other; else both stay.
// CHECK-LABEL: func.func @loop
// CHECK: %[[START:.*]] = air.channel.get async @a[]
// CHECK: %[[STEADY:.*]] = scf.for
// CHECK: %[[LOOSE:.*]] = scf.for
// CHECK: air.channel.put async [%[[STEADY]]] @a[]
// CHECK: air.channel.put async [%[[START]], %[[LOOSE]]] @a[]
func.func @loop(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = air.channel.get async @a[] (%m[] [] []) : (memref<8xi32>)
  %1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %0) -> (!air.async.token) {
    %4 = air.channel.put async [%t] @b[] (%m[] [] []) : (memref<8xi32>)
    scf.yield %4 : !air.async.token
  }
  %2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %0) -> (!air.async.token) {
    %4 = air.channel.put async @b[] (%m[] [] []) : (memref<8xi32>)
    scf.yield %4 : !air.async.token
  }
  %3 = air.channel.put async [%0, %1] @a[] (%m[] [] []) : (memref<8xi32>)
  %4 = air.channel.put async [%0, %2] @a[] (%m[] [] []) : (memref<8xi32>)
  return
}

// A branch's token stands for what both sides wait for.
// CHECK-LABEL: func.func @branch
// CHECK: air.herd async
// CHECK-SAME: {id = 1 : i32}
// CHECK: %[[A:.*]] = air.channel.get async @a[]
// CHECK: %[[B:.*]] = air.channel.get async @b[]
// CHECK: %[[IF:.*]] = affine.if
// CHECK: air.execute [%[[IF]], %[[B]]] {
// CHECK-NOT: id =
// CHECK: return
func.func @branch(%m: memref<8xi32, 2>) {
  %c1 = arith.constant 1 : index
  %h = air.herd async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%n=%m) : memref<8xi32, 2> attributes {id = 9 : i32} {
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %0 = air.channel.get async @a[] (%n[] [] []) : (memref<8xi32, 2>)
    %1 = air.channel.get async @b[] (%n[] [] []) : (memref<8xi32, 2>)
    %2 = affine.if #set()[%x] -> !air.async.token {
      %3 = air.channel.put async [%0, %1] @a[] (%n[] [] []) : (memref<8xi32, 2>)
      affine.yield %3 : !air.async.token
    } else {
      %3 = air.wait_all async [%0] {id = 3 : i32}
      affine.yield %3 : !air.async.token
    }
    %4 = air.execute [%0, %1, %2] {
      memref.store %z, %n[%c0] : memref<8xi32, 2>
    } {id = 5 : i32}
  }
  return
}

// A deallocation waits for what touches its buffer, not for a herd that does not.
// CHECK-LABEL: func.func @deallocation
// CHECK: %[[PUT:.*]] = air.channel.put async [%{{.*}}] @a[]
// CHECK: air.herd
// CHECK: air.execute [%[[PUT]]] {
// CHECK-NEXT: memref.dealloc
func.func @deallocation() {
  %c1 = arith.constant 1 : index
  %t, %m = air.execute -> (memref<8xi32, 1>) {
    %alloc = memref.alloc() : memref<8xi32, 1>
    air.execute_terminator %alloc : memref<8xi32, 1>
  }
  %0 = air.channel.put async [%t] @a[] (%m[] [] []) : (memref<8xi32, 1>)
  %h = air.herd async [%t] tile (%x, %y) in (%sx=%c1, %sy=%c1) {
  }
  %d = air.execute [%h] {
    memref.dealloc %m : memref<8xi32, 1>
  }
  return
}
