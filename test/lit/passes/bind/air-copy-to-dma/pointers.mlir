// A copy from what a reinterpret_cast makes of an unranked memref reads that memref: the cast's offset, sizes and strides are the
// lists. A second cast starts again from the buffer; a subview of a cast adds to its offset.
// RUN: allo-opt --syntax=2026-03 %s --air-copy-to-dma | filecheck %s

// CHECK-LABEL: func.func @pointer
// CHECK-SAME: (%[[P:.*]]: memref<*xbf16>, %[[N:.*]]: index)
// CHECK-NOT: memref.reinterpret_cast
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %[[P]][%{{.*}}, %[[N]]] [%c2, %c64] [%c64, %c1]) {id = 1 : i32} : (memref<2x64xbf16, 1>, memref<*xbf16>)
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK: air.dma_memcpy_nd (%[[P]][%{{.*}}, %[[AT]]] [%c2, %c32] [%c64, %c1], %{{.*}}[] [] []) {id = 2 : i32} : (memref<*xbf16>, memref<2x32xbf16, 1>)
func.func @pointer(%p: memref<*xbf16>, %n: index) {
  %m = memref.reinterpret_cast %p to offset: [%n], sizes: [2, 64], strides: [64, 1] : memref<*xbf16> to memref<2x64xbf16, strided<[64, 1], offset: ?>>
  %l2 = memref.alloc() : memref<2x64xbf16, 1>
  memref.copy %m, %l2 : memref<2x64xbf16, strided<[64, 1], offset: ?>> to memref<2x64xbf16, 1>
  %s = memref.subview %m[0, 32] [2, 32] [1, 1] : memref<2x64xbf16, strided<[64, 1], offset: ?>> to memref<2x32xbf16, strided<[64, 1], offset: ?>>
  %part = memref.alloc() : memref<2x32xbf16, 1>
  memref.copy %part, %s : memref<2x32xbf16, 1> to memref<2x32xbf16, strided<[64, 1], offset: ?>>
  return
}
