// RUN: allo-opt --syntax=2026-03 %s --canonicalize | filecheck %s

// What access lists cannot say stays a view.

air.channel @c [1, 1]

// The memory space decides where the transfer happens.
// CHECK-LABEL: func.func @memory_space
// CHECK: %[[V:.*]] = memref.memory_space_cast
// CHECK: air.channel.put @c[] (%[[V]][] [] [])
func.func @memory_space(%m: memref<4x8xi32>) {
  %v = memref.memory_space_cast %m : memref<4x8xi32> to memref<4x8xi32, 1>
  air.channel.put @c[] (%v[] [] []) : (memref<4x8xi32, 1>)
  return
}

// Strides that the type does not tell.
// CHECK-LABEL: func.func @unknown_strides
// CHECK: %[[V:.*]] = memref.subview
// CHECK: air.channel.put @c[] (%[[V]][] [] [])
func.func @unknown_strides(%m: memref<?x?xi32, strided<[?, ?], offset: ?>>, %i: index) {
  %v = memref.subview %m[%i, 0] [4, 4] [1, 1] : memref<?x?xi32, strided<[?, ?], offset: ?>> to memref<4x4xi32, strided<[?, ?], offset: ?>>
  air.channel.put @c[] (%v[] [] []) : (memref<4x4xi32, strided<[?, ?], offset: ?>>)
  return
}

// The offset of an argument's own layout is not known, so a reinterpret_cast of it cannot be counted from its first element.
// CHECK-LABEL: func.func @reinterpreted_view
// CHECK: %[[V:.*]] = memref.reinterpret_cast
// CHECK: air.channel.put @c[] (%[[V]][] [] [])
func.func @reinterpreted_view(%m: memref<64xi32, strided<[1], offset: ?>>) {
  %v = memref.reinterpret_cast %m to offset: [3], sizes: [4], strides: [2] : memref<64xi32, strided<[1], offset: ?>> to memref<4xi32, strided<[2], offset: 3>>
  air.channel.put @c[] (%v[] [] []) : (memref<4xi32, strided<[2], offset: 3>>)
  return
}

// A transposed walk covers the buffer, but not in its order.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%[[M:.*]]: memref<4x8xi32>)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: air.channel.put @c[] (%[[M]][%{{.*}}, %{{.*}}] [%[[C8]], %{{.*}}] [%[[C1]], %[[C8]]])
func.func @transposed(%m: memref<4x8xi32>) {
  %t = memref.transpose %m (a, b) -> (b, a) : memref<4x8xi32> to memref<8x4xi32, strided<[1, 8]>>
  air.channel.put @c[] (%t[] [] []) : (memref<8x4xi32, strided<[1, 8]>>)
  return
}

// Copies between different elements of one buffer stay.
// CHECK-LABEL: func.func @moves_inside
// CHECK: air.dma_memcpy_nd
func.func @moves_inside(%m: memref<8x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  air.dma_memcpy_nd (%m[%c0, %c0] [%c4, %c4] [%c8, %c1], %m[%c4, %c0] [%c4, %c4] [%c8, %c1]) : (memref<8x8xi32>, memref<8x8xi32>)
  return
}
