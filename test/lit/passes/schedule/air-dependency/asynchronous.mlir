// RUN: allo-opt %s --air-dependency | filecheck %s
// RUN: allo-opt %s --air-dependency=whole-loops=true | filecheck %s --check-prefix=WHOLE
// RUN: allo-opt %s --air-dependency=whole-loops=true > %t.once
// RUN: allo-opt %t.once --air-dependency=whole-loops=true | diff %t.once -

air.channel @c []

// Functions that are asynchronous already stay as they are, and those without AIR operations with whole-loops=true.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[READ:.*]], %[[V:.*]] = air.execute -> (i32) {
// CHECK: air.execute [%[[READ]]] {
// CHECK-NEXT: memref.store %[[V]]
// WHOLE-LABEL: func.func @kernel
// WHOLE-NOT: air.execute
// WHOLE: return
func.func @kernel(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<8xi32>
  memref.store %v, %m[%c0] : memref<8xi32>
  return
}

// CHECK-LABEL: func.func @done
// CHECK: %[[D0:.*]] = air.channel.get async @c[]
// CHECK: %[[D1:.*]] = air.channel.get async [%[[D0]]] @c[]
// CHECK: air.channel.get async [%[[D0]]] @c[]
func.func @done(%m: memref<8xi32>) {
  %0 = air.channel.get async @c[] (%m[] [] []) {id = 1 : i32} : (memref<8xi32>)
  %1 = air.channel.get async [%0] @c[] (%m[] [] []) {id = 2 : i32} : (memref<8xi32>)
  %2 = air.channel.get async [%0] @c[] (%m[] [] []) {id = 2 : i32} : (memref<8xi32>)
  return
}

// Tokens that are there stay; a synchronous operation among them gets its own.
// CHECK-LABEL: func.func @partly
// CHECK: %[[GET:.*]] = air.channel.get async [%{{.*}}] @c[]
// CHECK: %[[PUT:.*]] = air.channel.put async [%[[GET]]] @c[]
// CHECK: %[[INIT:.*]] = air.wait_all async [%[[PUT]]]
// CHECK: %[[FOR:.*]]:2 = scf.for {{.*}} iter_args(%[[T:.*]] = %[[GET]], %[[U:.*]] = %[[INIT]])
// CHECK:   %[[PUT2:.*]] = air.channel.put async [%[[T]], %[[U]]] @c[]
// CHECK:   %[[GET2:.*]] = air.channel.get async [%[[PUT2]]] @c[]
// CHECK:   %[[JOIN:.*]] = air.wait_all async [%[[GET2]]]
// CHECK:   scf.yield %[[PUT2]], %[[JOIN]]
// CHECK: air.wait_all [%[[FOR]]#0]
func.func @partly(%m: memref<8xi32>, %t: !air.async.token) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = air.channel.get async [%t] @c[] (%m[] [] []) : (memref<8xi32>)
  air.channel.put [%0] @c[] (%m[] [] []) : (memref<8xi32>)
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%k = %0) -> (!air.async.token) {
    %1 = air.channel.put async [%k] @c[] (%m[] [] []) : (memref<8xi32>)
    air.channel.get @c[] (%m[] [] []) : (memref<8xi32>)
    scf.yield %1 : !air.async.token
  }
  air.wait_all [%r]
  return
}
