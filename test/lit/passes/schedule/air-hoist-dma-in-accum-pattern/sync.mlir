// RUN: allo-opt --syntax=2026-03 %s --air-hoist-dma-in-accum-pattern | filecheck %s

// CHECK-LABEL: func.func @add
// CHECK:         %[[L:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK:         air.dma_memcpy_nd (%[[L]][] [] [], %arg0[%arg1] [%c8{{.*}}] [%c1{{.*}}])
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      linalg.add
// CHECK-NEXT:    }
// CHECK-NEXT:    air.dma_memcpy_nd (%arg0[%arg1] [%c8{{.*}}] [%c1{{.*}}], %[[L]][] [] [])
// CHECK-NEXT:    memref.dealloc %[[L]]
// CHECK-NEXT:    return
func.func @add(%c: memref<64xi32, 1>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %c8 = arith.constant 8 : index
    %d1 = arith.constant 1 : index
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %c[%i] [%c8] [%c1]) : (memref<8xi32, 2>, memref<64xi32, 1>)
    linalg.add ins(%l, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%l : memref<8xi32, 2>)
    air.dma_memcpy_nd (%c[%i] [%c8] [%d1], %l[] [] []) : (memref<64xi32, 1>, memref<8xi32, 2>)
    memref.dealloc %l : memref<8xi32, 2>
  }
  return
}

// A buffer from outside of the loop would be loaded even if the loop had no iteration.

// CHECK-LABEL: func.func @outside
// CHECK:         scf.for
// CHECK-COUNT-2:   air.dma_memcpy_nd
// CHECK:         }
// CHECK:         air.dma_memcpy_nd (%arg1
// CHECK:         scf.for
// CHECK-NEXT:      linalg.add
// CHECK-NEXT:    }
// CHECK-NEXT:    air.dma_memcpy_nd (%arg0
func.func @outside(%c: memref<8xi32, 1>, %l: memref<8xi32, 2>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %n step %c1 {
    air.dma_memcpy_nd (%l[] [] [], %c[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
    linalg.add ins(%l, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%l : memref<8xi32, 2>)
    air.dma_memcpy_nd (%c[] [] [], %l[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
  }
  scf.for %k = %c0 to %c4 step %c1 {
    air.dma_memcpy_nd (%l[] [] [], %c[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
    linalg.add ins(%l, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%l : memref<8xi32, 2>)
    air.dma_memcpy_nd (%c[] [] [], %l[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
  }
  return
}

// In each loop something needs the transfers: another place every time, another place back, a second reader of the place,
// a use of the buffer before the load, a hierarchy that is given the place.

// CHECK-LABEL: func.func @needed
// CHECK-COUNT-2: air.dma_memcpy_nd
// CHECK:         scf.for
// CHECK-NEXT:      air.dma_memcpy_nd
// CHECK-NEXT:      air.dma_memcpy_nd
// CHECK:         scf.for
// CHECK-COUNT-3:   air.dma_memcpy_nd
// CHECK:         scf.for
// CHECK-NEXT:      linalg.add
// CHECK-NEXT:      air.dma_memcpy_nd
// CHECK-NEXT:      air.dma_memcpy_nd
// CHECK:         scf.for
// CHECK-NEXT:      air.dma_memcpy_nd
// CHECK-NEXT:      air.herd
// CHECK:           air.dma_memcpy_nd
func.func @needed(%c: memref<96xi32, 1>, %l: memref<8xi32, 2>, %m: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c4 step %c1 {
    air.dma_memcpy_nd (%l[] [] [], %c[%k] [%c8] [%c8]) : (memref<8xi32, 2>, memref<96xi32, 1>)
    air.dma_memcpy_nd (%c[%k] [%c8] [%c8], %l[] [] []) : (memref<96xi32, 1>, memref<8xi32, 2>)
  }
  scf.for %k = %c0 to %c4 step %c1 {
    air.dma_memcpy_nd (%l[] [] [], %c[%c1] [%c8] [%c1]) : (memref<8xi32, 2>, memref<96xi32, 1>)
    air.dma_memcpy_nd (%c[%c8] [%c8] [%c1], %l[] [] []) : (memref<96xi32, 1>, memref<8xi32, 2>)
  }
  scf.for %k = %c0 to %c4 step %c1 {
    air.dma_memcpy_nd (%l[] [] [], %c[%c1] [%c8] [%c1]) : (memref<8xi32, 2>, memref<96xi32, 1>)
    air.dma_memcpy_nd (%m[] [] [], %c[%k] [%c8] [%c1]) : (memref<8xi32, 2>, memref<96xi32, 1>)
    air.dma_memcpy_nd (%c[%c1] [%c8] [%c1], %l[] [] []) : (memref<96xi32, 1>, memref<8xi32, 2>)
  }
  scf.for %k = %c0 to %c4 step %c1 {
    linalg.add ins(%l, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%m : memref<8xi32, 2>)
    air.dma_memcpy_nd (%l[] [] [], %c[%c1] [%c8] [%c1]) : (memref<8xi32, 2>, memref<96xi32, 1>)
    air.dma_memcpy_nd (%c[%c1] [%c8] [%c1], %l[] [] []) : (memref<96xi32, 1>, memref<8xi32, 2>)
  }
  scf.for %k = %c0 to %c4 step %c1 {
    air.dma_memcpy_nd (%l[] [] [], %c[%c1] [%c8] [%c1]) : (memref<8xi32, 2>, memref<96xi32, 1>)
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%d=%c) : memref<96xi32, 1> {
    }
    air.dma_memcpy_nd (%c[%c1] [%c8] [%c1], %l[] [] []) : (memref<96xi32, 1>, memref<8xi32, 2>)
  }
  return
}
