// RUN: allo-opt --syntax=2026-03 %s --canonicalize | filecheck %s

// Views are folded into the access lists of what transfers them.

air.channel @c [1, 1]

// A packed layout: 64x64 of 256x1024, in 4x8 blocks, becomes one pattern of four dimensions.
// CHECK-LABEL: func.func @packed
// CHECK-SAME: (%[[M:.*]]: memref<256x1024xbf16, 1>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
// CHECK-DAG: %[[C4096:.*]] = arith.constant 4096 : index
// CHECK-NOT: memref.
// CHECK: air.channel.put @c[] (%[[M]][%[[C0]], %[[C0]], %[[I]], %[[J]]] [%[[C8]], %[[C16]], %[[C4]], %[[C8]]] [%[[C8]], %[[C4096]], %[[C1024]], %[[C1]]]) : (memref<256x1024xbf16, 1>)
func.func @packed(%m: memref<256x1024xbf16, 1>, %i: index, %j: index) {
  %v = memref.subview %m[%i, %j] [64, 64] [1, 1] : memref<256x1024xbf16, 1> to memref<64x64xbf16, strided<[1024, 1], offset: ?>, 1>
  %e = memref.expand_shape %v [[0, 1], [2, 3]] output_shape [16, 4, 8, 8] : memref<64x64xbf16, strided<[1024, 1], offset: ?>, 1> into memref<16x4x8x8xbf16, strided<[4096, 1024, 8, 1], offset: ?>, 1>
  %t = memref.transpose %e (a, b, c, d) -> (c, a, b, d) : memref<16x4x8x8xbf16, strided<[4096, 1024, 8, 1], offset: ?>, 1> to memref<8x16x4x8xbf16, strided<[8, 4096, 1024, 1], offset: ?>, 1>
  air.channel.put @c[] (%t[] [] []) : (memref<8x16x4x8xbf16, strided<[8, 4096, 1024, 1], offset: ?>, 1>)
  return
}

// A rank-reduced dimension stays in the lists as a single step.
// CHECK-LABEL: func.func @rank_reduced
// CHECK-SAME: (%[[M:.*]]: memref<4x32x32xi32>, %[[I:.*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
// CHECK: air.channel.get @c[] (%[[M]][%[[I]], %[[C0]], %[[C0]]] [%[[C1]], %[[C32]], %[[C32]]] [%[[C1024]], %[[C32]], %[[C1]]])
func.func @rank_reduced(%m: memref<4x32x32xi32>, %i: index) {
  %v = memref.subview %m[%i, 0, 0] [1, 32, 32] [1, 1, 1] : memref<4x32x32xi32> to memref<32x32xi32, strided<[32, 1], offset: ?>>
  air.channel.get @c[] (%v[] [] []) : (memref<32x32xi32, strided<[32, 1], offset: ?>>)
  return
}

// Lists on a view count from its first element; offsets of both are added.
// CHECK-LABEL: func.func @lists_on_view
// CHECK-SAME: (%[[M:.*]]: memref<64x64xi32>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: %[[SUM:.*]] = affine.apply #{{.*}}()[%[[J]], %[[I]]]
// CHECK: air.channel.put @c[] (%[[M]][%[[SUM]], %[[C2]]] [%[[C8]], %[[C8]]] [%[[C64]], %[[C1]]])
func.func @lists_on_view(%m: memref<64x64xi32>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %v = memref.subview %m[%i, 2] [16, 16] [1, 1] : memref<64x64xi32> to memref<16x16xi32, strided<[64, 1], offset: ?>>
  air.channel.put @c[] (%v[%j, %c0] [%c8, %c8] [%c64, %c1]) : (memref<16x16xi32, strided<[64, 1], offset: ?>>)
  return
}

// A walk over the whole buffer, as it lies in memory, needs no lists; one that only begins in the middle does.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[M:.*]]: memref<8x8xi32>, %[[I:.*]]: index)
// CHECK: air.channel.put @c[] (%[[M]][] [] [])
// CHECK: air.channel.put @c[] (%[[M]][] [] [])
// CHECK: air.channel.put @c[] (%[[M]][%[[I]]] [%{{.*}}] [%{{.*}}])
func.func @whole(%m: memref<8x8xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 8] : memref<8x8xi32> into memref<2x4x8xi32>
  air.channel.put @c[] (%e[] [] []) : (memref<2x4x8xi32>)
  air.channel.put @c[] (%m[%c0, %c0, %c0] [%c1, %c8, %c8] [%c64, %c8, %c1]) : (memref<8x8xi32>)
  air.channel.put @c[] (%m[%i] [%c64] [%c1]) : (memref<8x8xi32>)
  return
}

// reinterpret_cast starts from the buffer, not from the view it is given.
// CHECK-LABEL: func.func @reinterpreted
// CHECK-SAME: (%[[M:.*]]: memref<64xi32>, %[[I:.*]]: index)
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: air.channel.put @c[] (%[[M]][%{{.*}}, %[[I]]] [%[[C4]], %[[C2]]] [%[[C8]], %[[C1]]])
func.func @reinterpreted(%m: memref<64xi32>, %i: index) {
  %v = memref.subview %m[16] [32] [1] : memref<64xi32> to memref<32xi32, strided<[1], offset: 16>>
  %r = memref.reinterpret_cast %v to offset: [%i], sizes: [4, 2], strides: [8, 1] : memref<32xi32, strided<[1], offset: 16>> to memref<4x2xi32, strided<[8, 1], offset: ?>>
  air.channel.put @c[] (%r[] [] []) : (memref<4x2xi32, strided<[8, 1], offset: ?>>)
  return
}

// A copy of elements onto themselves goes; its token becomes a wait for what the copy waited for.
// CHECK-LABEL: func.func @self_copy
// CHECK-SAME: (%[[M:.*]]: memref<8x8xi32>, %[[T:.*]]: !air.async.token)
// CHECK-NEXT: air.wait_all [%[[T]]]
// CHECK-NEXT: return
func.func @self_copy(%m: memref<8x8xi32>, %t: !air.async.token) {
  %0 = air.dma_memcpy_nd async [%t] (%m[] [] [], %m[] [] []) : (memref<8x8xi32>, memref<8x8xi32>)
  air.wait_all [%0]
  air.dma_memcpy_nd (%m[] [] [], %m[] [] []) : (memref<8x8xi32>, memref<8x8xi32>)
  return
}
