// RUN: allo-opt %s --canonicalize | filecheck %s

// Joins of events go into the waits for them; waits for nothing and L2 buffers that are only freed go. A wait that ends a counted
// launch stays.

// CHECK-LABEL: func.func @f
// CHECK: %[[E:.*]] = airrt.dma_memcpy_nd(
// CHECK: %[[G:.*]] = airrt.dma_memcpy_nd(
// CHECK-NEXT: airrt.wait_all %[[E]], %[[G]] {air.launch_end}
// CHECK-NEXT: airrt.wait_all {air.launch = 0 : i32}
// CHECK-NEXT: return
func.func @f(%m: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %0 = airrt.wait_all : !airrt.event
  %1 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 32], [0, 0, 0, 1]) : (i32, i64, i64, memref<64xi32>) : !airrt.event
  %2 = airrt.wait_all %1, %0 : !airrt.event
  %b = airrt.alloc : memref<8xi32, 1>
  %3 = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 32], [1, 1, 1, 32], [0, 0, 0, 1]) : (i32, i64, i64, memref<64xi32>) : !airrt.event
  airrt.dealloc %b : memref<8xi32, 1>
  airrt.wait_all %0 {air.segment_end}
  %4 = airrt.wait_all %2, %3 : !airrt.event
  airrt.wait_all %4, %3 {air.launch_end}
  airrt.wait_all {air.launch = 0 : i32}
  airrt.wait_all {air.launch_end}
  return
}
