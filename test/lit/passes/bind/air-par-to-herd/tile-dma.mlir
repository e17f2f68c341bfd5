// RUN: allo-opt --syntax=2026-03 %s --air-par-to-herd=depth=0 --canonicalize --cse | filecheck %s

// A DMA between L2 and L1 outside of the cores' loop is cut into the tiles of the subview there, and becomes a herd of the same name.

// CHECK-LABEL: func.func @tiled
// CHECK-SAME:  (%[[L2:.*]]: memref<4x8xi32, 1>, %[[BIG:.*]]: memref<16x16xi32, 1>, %[[N:.*]]: index)
// CHECK:       air.herd @herd_0 tile{{ *}}(%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c4{{.*}}) args(%[[D:.*]]=%{{.*}}, %[[S:.*]]=%[[L2]])
// CHECK:         %[[O:.*]] = affine.apply #{{.*}}%[[X]]
// CHECK:         air.dma_memcpy_nd (%[[D]][%[[Y]], %[[O]]] [%c1{{.*}}, %c4{{.*}}] [%c8{{.*}}, %c1{{.*}}], %[[S]][%[[Y]], %[[O]]] [%c1{{.*}}, %c4{{.*}}] [%c8{{.*}}, %c1{{.*}}]) {id = 3 : i32}
// CHECK:       air.herd @herd_0
// CHECK:         linalg.add
// CHECK:       air.herd @herd_0
// CHECK:         air.dma_memcpy_nd (%{{.*}}[%{{.*}}, %{{.*}}] [%c1{{.*}}, %c4{{.*}}] [%c16{{.*}}, %c1{{.*}}], %{{.*}}[%{{.*}}, %{{.*}}] [%c1{{.*}}, %c4{{.*}}] [%c8{{.*}}, %c1{{.*}}]) :
func.func @tiled(%l2: memref<4x8xi32, 1>, %big: memref<16x16xi32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %x = memref.alloc() : memref<4x8xi32, 2>
  %y = memref.alloc() : memref<4x8xi32, 2>
  air.dma_memcpy_nd (%x[] [] [], %l2[] [] []) {id = 3 : i32} : (memref<4x8xi32, 2>, memref<4x8xi32, 1>)
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%c4, %c1) {
    %s = memref.subview %x[%j, %i] [1, 4] [1, 1] : memref<4x8xi32, 2> to memref<1x4xi32, strided<[8, 1], offset: ?>, 2>
    %t = memref.subview %y[%j, %i] [1, 4] [1, 1] : memref<4x8xi32, 2> to memref<1x4xi32, strided<[8, 1], offset: ?>, 2>
    linalg.add ins(%s, %s : memref<1x4xi32, strided<[8, 1], offset: ?>, 2>, memref<1x4xi32, strided<[8, 1], offset: ?>, 2>) outs(%t : memref<1x4xi32, strided<[8, 1], offset: ?>, 2>)
  }
  air.dma_memcpy_nd (%big[%n, %c0] [%c4, %c8] [%c16, %c1], %y[] [] []) : (memref<16x16xi32, 1>, memref<4x8xi32, 2>)
  return
}

// Tiles that leave a part out, or that several iterations share, are not a hint.

// CHECK-LABEL: func.func @uneven
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[] [] [])
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[] [] [])
func.func @uneven(%l2: memref<4x8xi32, 1>) {
  %x = memref.alloc() : memref<4x8xi32, 2>
  %y = memref.alloc() : memref<4x8xi32, 2>
  air.dma_memcpy_nd (%x[] [] [], %l2[] [] []) : (memref<4x8xi32, 2>, memref<4x8xi32, 1>)
  air.dma_memcpy_nd (%y[] [] [], %l2[] [] []) : (memref<4x8xi32, 2>, memref<4x8xi32, 1>)
  scf.forall (%i, %j) in (3, 2) {
    %s = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<4x8xi32, 2> to memref<1x8xi32, strided<[8, 1], offset: ?>, 2>
    %k = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = memref.subview %y[0, %k] [4, 4] [1, 1] : memref<4x8xi32, 2> to memref<4x4xi32, strided<[8, 1], offset: ?>, 2>
    memref.copy %s, %s : memref<1x8xi32, strided<[8, 1], offset: ?>, 2> to memref<1x8xi32, strided<[8, 1], offset: ?>, 2>
    memref.copy %t, %t : memref<4x4xi32, strided<[8, 1], offset: ?>, 2> to memref<4x4xi32, strided<[8, 1], offset: ?>, 2>
  }
  return
}
