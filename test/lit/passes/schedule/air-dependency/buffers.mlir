// RUN: allo-opt %s --air-dependency | filecheck %s

air.channel @c []
air.channel @d [2]
func.func private @kernel(memref<8x8xi32, 1>)
func.func private @hello()

// Tiles that do not share an element are copied at the same time; rows and columns meet.
// CHECK-LABEL: func.func @tiles
// CHECK: %[[ALLOC:.*]], %{{.*}} = air.execute
// CHECK: %[[LEFT:.*]] = air.dma_memcpy_nd async [%[[ALLOC]]]
// CHECK: %[[RIGHT:.*]] = air.dma_memcpy_nd async [%[[ALLOC]]]
// CHECK: %[[ROW:.*]] = air.dma_memcpy_nd async [%[[LEFT]], %[[RIGHT]]]
// CHECK: %[[READ1:.*]] = air.dma_memcpy_nd async [%[[ROW]]]
// CHECK: %[[READ2:.*]] = air.dma_memcpy_nd async [%[[LEFT]]]
// CHECK: air.execute [%[[READ2]], %[[READ1]]] {
// CHECK-NEXT: func.call @kernel
// CHECK: } {id = 2 : i32}
func.func @tiles(%m: memref<8x8xi32>, %n: memref<8x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8x8xi32, 1>
  air.dma_memcpy_nd (%b[%c0, %c0] [%c8, %c4] [%c8, %c1], %m[%c0, %c0] [%c8, %c4] [%c8, %c1]) : (memref<8x8xi32, 1>, memref<8x8xi32>)
  air.dma_memcpy_nd (%b[%c0, %c4] [%c8, %c4] [%c8, %c1], %m[%c0, %c4] [%c8, %c4] [%c8, %c1]) : (memref<8x8xi32, 1>, memref<8x8xi32>)
  air.dma_memcpy_nd (%b[%c1, %c0] [%c1, %c8] [%c8, %c1], %m[%c0, %c0] [%c1, %c8] [%c8, %c1]) : (memref<8x8xi32, 1>, memref<8x8xi32>)
  air.dma_memcpy_nd (%n[%c0, %c0] [%c2, %c4] [%c8, %c1], %b[%c0, %c0] [%c2, %c4] [%c8, %c1]) : (memref<8x8xi32>, memref<8x8xi32, 1>)
  air.dma_memcpy_nd (%n[%c4, %c0] [%c2, %c4] [%c8, %c1], %b[%c4, %c0] [%c2, %c4] [%c8, %c1]) : (memref<8x8xi32>, memref<8x8xi32, 1>)
  func.call @kernel(%b) : (memref<8x8xi32, 1>) -> ()
  return
}

// The tile that an id selects, through a view and a hierarchy's argument, against the ones beside it.
// CHECK-LABEL: func.func @through_views
// CHECK: %[[FILL0:.*]] = air.execute [%{{.*}}] {
// CHECK-NEXT: linalg.fill
// CHECK: %[[FILL1:.*]] = air.execute [%{{.*}}] {
// CHECK-NEXT: linalg.fill
// CHECK: air.herd async [%[[FILL1]]]
func.func @through_views(%z: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8x8xi32, 1>
  %top = memref.subview %b[0, 0] [4, 8] [1, 1] : memref<8x8xi32, 1> to memref<4x8xi32, strided<[8, 1]>, 1>
  %bottom = memref.subview %b[4, 0] [4, 8] [1, 1] : memref<8x8xi32, 1> to memref<4x8xi32, strided<[8, 1], offset: 32>, 1>
  linalg.fill ins(%z : i32) outs(%top : memref<4x8xi32, strided<[8, 1]>, 1>)
  linalg.fill ins(%z : i32) outs(%bottom : memref<4x8xi32, strided<[8, 1], offset: 32>, 1>)
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%bottom) : memref<4x8xi32, strided<[8, 1], offset: 32>, 1> {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d8 = arith.constant 8 : index
    air.channel.put @c[] (%a[%x, %d0] [%d1, %d8] [%d8, %d1]) : (memref<4x8xi32, strided<[8, 1], offset: 32>, 1>)
  }
  return
}

// Each element access moves into an execute; a loaded index is waited for.
// CHECK-LABEL: func.func @elements
// CHECK: %[[NEST:.*]] = scf.for {{.*}} -> (!air.async.token)
// CHECK: air.execute [%{{.*}}] {
// CHECK-NEXT: memref.store
// CHECK: %[[LOAD:.*]], %[[VALUE:.*]] = air.execute [%[[NEST]]] -> (index)
// CHECK: air.channel.put async [%[[LOAD]]] @c[] (%{{.*}}[%[[VALUE]]]
func.func @elements(%m: memref<8xindex>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %i, %m[%i] : memref<8xindex>
  }
  %v = memref.load %m[%c1] : memref<8xindex>
  air.channel.put @c[] (%n[%v] [%c1] [%c1]) : (memref<8xi32>)
  return
}

// Uses of one end of one channel stay in order, those of others need not; calls without buffers stay in order.
// CHECK-LABEL: func.func @channels
// CHECK: %[[A:.*]] = air.channel.put async @c[]
// CHECK: air.channel.put async [%[[A]]] @c[]
// CHECK: air.channel.put async @d[%c0]
// CHECK: air.channel.put async @d[%c1]
// CHECK: %[[HELLO:.*]] = air.execute {
// CHECK-NEXT: func.call @hello
// CHECK: air.execute [%[[HELLO]]] {
// CHECK-NEXT: func.call @hello
func.func @channels(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @c[] (%m[] [] []) : (memref<8xi32>)
  air.channel.put @c[] (%m[] [] []) : (memref<8xi32>)
  air.channel.put @d[%c0] (%m[] [] []) : (memref<8xi32>)
  air.channel.put @d[%c1] (%m[] [] []) : (memref<8xi32>)
  func.call @hello() : () -> ()
  func.call @hello() : () -> ()
  return
}
