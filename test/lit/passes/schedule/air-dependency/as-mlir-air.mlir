// RUN: allo-opt --syntax=2026-03 %s --air-dependency | filecheck %s

// What works on a buffer from before the loop waits for the token that the loop carries, though what it waits for besides did
// so, too, last in its list; a put or get does not. Copies and channels are numbered apart.

// CHECK-LABEL: func.func @f
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %{{.*}}) -> (!air.async.token)
// CHECK: %[[BROUGHT:.*]] = air.dma_memcpy_nd async [%[[CARRIED]]] {{.*}} {id = 1 : i32}
// CHECK: %[[ADDED:.*]] = air.execute [%[[BROUGHT]], %[[CARRIED]]] {
// CHECK: %[[SENT:.*]] = air.channel.put async [%[[ADDED]]] @out[] {{.*}} {id = 1 : i32}
// CHECK: air.channel.put async [%[[SENT]]] @out[] {{.*}} {id = 2 : i32}
// CHECK: air.dma_memcpy_nd async {{.*}} {id = 2 : i32}
air.channel @out []
func.func @f(%l2: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %l1 = memref.alloc() : memref<8xi32, 2>
  %sum = memref.alloc() : memref<8xi32, 2>
  scf.for %i = %c0 to %c8 step %c1 {
    air.dma_memcpy_nd (%l1[] [] [], %l2[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
    linalg.add ins(%l1, %sum : memref<8xi32, 2>, memref<8xi32, 2>) outs(%sum : memref<8xi32, 2>)
    air.channel.put @out[] (%sum[] [] []) : (memref<8xi32, 2>)
    air.channel.put @out[] (%sum[] [] []) : (memref<8xi32, 2>)
  }
  air.dma_memcpy_nd (%l2[] [] [], %sum[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
  return
}
