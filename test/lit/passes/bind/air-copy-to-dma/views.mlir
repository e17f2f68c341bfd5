// RUN: allo-opt --syntax=2026-03 %s --air-copy-to-dma --canonicalize --cse | filecheck %s

// Views fold into the lists, dynamic offsets, steps and rank reduction included.

// CHECK-LABEL: func.func @subview
// CHECK-SAME:  (%[[A:.*]]: memref<64x256xi32>, %[[B:.*]]: memref<32x128xi32, 1>, %[[I:.*]]: index)
// CHECK:       air.dma_memcpy_nd (%[[B]][] [] [], %[[A]][%[[I]], %c16] [%c32, %c128] [%c256, %c1]) {id = 1 : i32} : (memref<32x128xi32, 1>, memref<64x256xi32>)
// CHECK:       air.dma_memcpy_nd (%[[A]][%[[I]], %c0] [%c32, %c128] [%c256, %c2], %[[B]][] [] []) {id = 2 : i32} : (memref<64x256xi32>, memref<32x128xi32, 1>)
// CHECK-NOT:   memref.subview
func.func @subview(%a: memref<64x256xi32>, %b: memref<32x128xi32, 1>, %i: index) {
  %v = memref.subview %a[%i, 16] [32, 128] [1, 1] : memref<64x256xi32> to memref<32x128xi32, strided<[256, 1], offset: ?>>
  memref.copy %v, %b : memref<32x128xi32, strided<[256, 1], offset: ?>> to memref<32x128xi32, 1>
  %w = memref.subview %a[%i, 0] [32, 128] [1, 2] : memref<64x256xi32> to memref<32x128xi32, strided<[256, 2], offset: ?>>
  memref.copy %b, %w : memref<32x128xi32, 1> to memref<32x128xi32, strided<[256, 2], offset: ?>>
  return
}

// CHECK-LABEL: func.func @row
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}, %c0] [%c1, %c8] [%c8, %c1]) {id = 3 : i32} : (memref<8xbf16, 2>, memref<4x8xbf16, 1>)
func.func @row(%a: memref<4x8xbf16, 1>, %b: memref<8xbf16, 2>, %i: index) {
  %v = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<4x8xbf16, 1> to memref<8xbf16, strided<[1], offset: ?>, 1>
  memref.copy %v, %b : memref<8xbf16, strided<[1], offset: ?>, 1> to memref<8xbf16, 2>
  return
}

// CHECK-LABEL: func.func @reinterpreted
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%c0, %c19] [%c2, %c4] [%c8, %c1]) {id = 4 : i32} : (memref<2x4xi8, 2>, memref<32xi8>)
func.func @reinterpreted(%a: memref<32xi8>, %b: memref<2x4xi8, 2>) {
  %v = memref.reinterpret_cast %a to offset: [19], sizes: [2, 4], strides: [8, 1] : memref<32xi8> to memref<2x4xi8, strided<[8, 1], offset: 19>>
  memref.copy %v, %b : memref<2x4xi8, strided<[8, 1], offset: 19>> to memref<2x4xi8, 2>
  return
}

// A dense memref of unknown size is copied whole.

// CHECK-LABEL: func.func @unknown_size
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[] [] []) {id = 5 : i32} : (memref<?x8xi8, 1>, memref<?x8xi8>)
func.func @unknown_size(%a: memref<?x8xi8>, %b: memref<?x8xi8, 1>) {
  memref.copy %a, %b : memref<?x8xi8> to memref<?x8xi8, 1>
  return
}

// One element of many, as a buffer without dimensions, is not all of them.

// CHECK-LABEL: func.func @one_of_many
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%c0] [%c1] [%c1]) {{{.*}}} : (memref<f32, 1>, memref<33xf32>)
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%c3] [%c1] [%c1]) {{{.*}}} : (memref<f32, 1>, memref<33xf32>)
func.func @one_of_many(%a: memref<33xf32>, %b: memref<f32, 1>) {
  %first = memref.subview %a[0] [1] [1] : memref<33xf32> to memref<f32, strided<[]>>
  memref.copy %first, %b : memref<f32, strided<[]>> to memref<f32, 1>
  %fourth = memref.subview %a[3] [1] [1] : memref<33xf32> to memref<f32, strided<[], offset: 3>>
  memref.copy %fourth, %b : memref<f32, strided<[], offset: 3>> to memref<f32, 1>
  return
}
