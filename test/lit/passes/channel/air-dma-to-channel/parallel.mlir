// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel | filecheck %s

// The iterations of a parallel loop share the channel of a copy, which needs their order.
// CHECK-LABEL: func.func @bare
// CHECK-NOT: scf.parallel
// CHECK: scf.for %[[I:.*]] = %c0 to %c64 step %c32 {
// CHECK: scf.for %[[J:.*]] = %c0 to %c64 step %c32 {
// CHECK: air.channel.put async @channel_0[] (%{{.*}}[%[[I]], %[[J]]] [%c32, %c32] [%c64, %c1])
// CHECK: air.channel.get async @channel_0[]
func.func @bare(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c64) step (%c32, %c32) {
    %l1 = memref.alloc() : memref<32x32xf32, 2>
    air.dma_memcpy_nd (%l1[] [] [], %a[%i, %j] [%c32, %c32] [%c64, %c1]) : (memref<32x32xf32, 2>, memref<64x64xf32>)
    air.dma_memcpy_nd (%b[%j, %i] [%c32, %c32] [%c64, %c1], %l1[] [] []) : (memref<64x64xf32>, memref<32x32xf32, 2>)
    memref.dealloc %l1 : memref<32x32xf32, 2>
    scf.reduce
  }
  return
}

// Tokens that the loop joins are carried from one iteration to the next.
// CHECK-LABEL: func.func @joins
// CHECK: %[[T:.*]] = air.wait_all async
// CHECK: %[[R:.*]] = scf.for %{{.*}} iter_args(%[[C:.*]] = %[[T]]) -> (!air.async.token) {
// CHECK: %[[D:.*]] = air.wait_all async [%{{.*}}, %[[C]]]
// CHECK: scf.yield %[[D]] : !air.async.token
// CHECK: air.wait_all [%[[R]]]
func.func @joins(%a: memref<4x8xf32>, %b: memref<4x8xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %t = air.wait_all async
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%t) -> !air.async.token {
    %d = air.dma_memcpy_nd async [%t] (%b[%i, %c0] [%c1, %c8] [%c8, %c1], %a[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xf32, 1>, memref<4x8xf32>)
    scf.reduce(%d : !air.async.token) {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %w = air.wait_all async [%x, %y]
      scf.reduce.return %w : !air.async.token
    }
  }
  air.wait_all [%r]
  return
}
