// RUN: allo-opt --syntax=2026-03 %s --air-copy-to-dma --canonicalize --cse | filecheck %s

// The source stays where it is in dimensions that are new.
// CHECK-LABEL: func.func @rows
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%c0, %c0] [%c8, %c16] [%c0, %c1]) {id = 1 : i32} : (memref<8x16xf32, 1>, memref<16xf32>)
func.func @rows(%a: memref<16xf32>, %b: memref<8x16xf32, 1>) {
  linalg.broadcast ins(%a : memref<16xf32>) outs(%b : memref<8x16xf32, 1>) dimensions = [0]
  return
}

// A part of the source, in the middle of the target.
// CHECK-LABEL: func.func @part
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%c0, %c0, %{{.*}}] [%c2, %c3, %c16] [%c16, %c0, %c1]) {id = 2 : i32}
func.func @part(%a: memref<64xf32>, %b: memref<2x3x16xf32, 1>, %i: index) {
  %v = memref.subview %a[%i] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
  %e = memref.expand_shape %v [[0, 1]] output_shape [2, 16] : memref<32xf32, strided<[1], offset: ?>> into memref<2x16xf32, strided<[16, 1], offset: ?>>
  linalg.broadcast ins(%e : memref<2x16xf32, strided<[16, 1], offset: ?>>) outs(%b : memref<2x3x16xf32, 1>) dimensions = [1]
  return
}

// Inside one memory space the core does it.
// CHECK-LABEL: func.func @same_space
// CHECK:       linalg.broadcast
func.func @same_space(%a: memref<16xf32, 2>, %b: memref<8x16xf32, 2>) {
  linalg.broadcast ins(%a : memref<16xf32, 2>) outs(%b : memref<8x16xf32, 2>) dimensions = [0]
  return
}
