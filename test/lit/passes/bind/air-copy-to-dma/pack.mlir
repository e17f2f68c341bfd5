// RUN: allo-opt --syntax=2026-03 %s --air-copy-to-dma --canonicalize --cse | filecheck %s

// CHECK-LABEL: func.func @pack
// CHECK-SAME:  (%[[A:.*]]: memref<16x32xi8>, %[[B:.*]]: memref<4x4x4x8xi8, 1>)
// CHECK:       air.dma_memcpy_nd (%[[B]][] [] [], %[[A]][%c0, %c0, %c0, %c0] [%c4, %c4, %c4, %c8] [%c8, %c128, %c32, %c1]) {id = 1 : i32} : (memref<4x4x4x8xi8, 1>, memref<16x32xi8>)
func.func @pack(%a: memref<16x32xi8>, %b: memref<4x4x4x8xi8, 1>) {
  linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %b : memref<16x32xi8> -> memref<4x4x4x8xi8, 1>
  return
}

// CHECK-LABEL: func.func @unpack
// CHECK-SAME:  (%[[A:.*]]: memref<16x32xi8>, %[[B:.*]]: memref<4x4x4x8xi8, 1>)
// CHECK:       air.dma_memcpy_nd (%[[A]][] [] [], %[[B]][%c0, %c0, %c0, %c0] [%c4, %c4, %c4, %c8] [%c32, %c8, %c128, %c1]) {id = 2 : i32} : (memref<16x32xi8>, memref<4x4x4x8xi8, 1>)
func.func @unpack(%a: memref<16x32xi8>, %b: memref<4x4x4x8xi8, 1>) {
  linalg.unpack %b outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %a : memref<4x4x4x8xi8, 1> -> memref<16x32xi8>
  return
}

// A tile of a bigger buffer, one tiled dimension, tiles in another order.

// CHECK-LABEL: func.func @part
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}] [%c2, %c8, %c4] [%c4, %c64, %c1]) {id = 3 : i32}
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%c0, %c0, %c0, %c0] [%c2, %c4, %c2, %c4] [%c32, %c2, %c1, %c8]) {id = 4 : i32}
func.func @part(%a: memref<8x64xbf16, 1>, %b: memref<2x8x4xbf16, 2>, %c: memref<8x8xbf16, 1>, %d: memref<2x4x2x4xbf16, 2>, %i: index) {
  %v = memref.subview %a[0, %i] [8, 8] [1, 1] : memref<8x64xbf16, 1> to memref<8x8xbf16, strided<[64, 1], offset: ?>, 1>
  linalg.pack %v outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %b : memref<8x8xbf16, strided<[64, 1], offset: ?>, 1> -> memref<2x8x4xbf16, 2>
  linalg.pack %c inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %d : memref<8x8xbf16, 1> -> memref<2x4x2x4xbf16, 2>
  return
}

// Inside one memory space it is not a transfer.

// CHECK-LABEL: func.func @same_space
// CHECK:       linalg.pack
func.func @same_space(%a: memref<16x32xi8, 2>, %b: memref<4x4x4x8xi8, 2>) {
  linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %b : memref<16x32xi8, 2> -> memref<4x4x4x8xi8, 2>
  return
}

// -----

// Tiles that do not divide: the whole ones, and each edge, after a fill with what pads.
// CHECK-LABEL: func.func @pads
// CHECK:         linalg.fill ins(%{{.*}} : i8) outs(%arg1
// CHECK:         air.dma_memcpy_nd (%arg1{{.*}} [%c3, %c2, %c4, %c8] {{.*}}, %arg0{{.*}} [%c3, %c2, %c4, %c8] [%c80, %c8, %c20, %c1])
// CHECK:         air.dma_memcpy_nd (%arg1{{.*}}, %arg0
// CHECK-COUNT-2: air.dma_memcpy_nd (%arg1
// CHECK-NOT:     linalg.pack
func.func @pads(%a: memref<15x20xi8>, %b: memref<4x3x4x8xi8, 2>) {
  %v = arith.constant 3 : i8
  linalg.pack %a padding_value(%v : i8) inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %b : memref<15x20xi8> -> memref<4x3x4x8xi8, 2>
  return
}

// A padding value that is not needed.
// CHECK-LABEL: func.func @divides
// CHECK-NOT:     linalg.fill
// CHECK:         air.dma_memcpy_nd
// CHECK-NOT:     air.dma_memcpy_nd
func.func @divides(%a: memref<16x16xi8>, %b: memref<4x2x4x8xi8, 1>) {
  %v = arith.constant 3 : i8
  linalg.pack %a padding_value(%v : i8) inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %b : memref<16x16xi8> -> memref<4x2x4x8xi8, 1>
  return
}

// CHECK-LABEL: func.func @unpack_uneven
// CHECK-COUNT-4: air.dma_memcpy_nd (%arg0
// CHECK-NOT:     linalg.unpack
func.func @unpack_uneven(%a: memref<15x20xi8>, %b: memref<4x3x4x8xi8, 1>) {
  linalg.unpack %b inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %a : memref<4x3x4x8xi8, 1> -> memref<15x20xi8>
  return
}
