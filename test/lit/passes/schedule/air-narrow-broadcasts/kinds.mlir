// RUN: allo-opt %s --air-narrow-broadcasts | filecheck %s
// RUN: allo-opt %s --air-narrow-broadcasts=core-s2mm=1 | filecheck %s --check-prefix=ONE

#all = affine_set<(d0, d1)[s0] : (s0 == 0, d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0)>
#rows = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 3 >= 0, s0 >= 0, -s0 + 1 >= 0)>
#cols = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 - s0 == 0, s0 >= 0, -s0 + 3 >= 0)>

// CHECK-DAG: #[[ROWS:.*]] = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0
// CHECK-DAG: #[[COLS:.*]] = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 - s0 == 0

// Rows, columns and each core by itself: what goes to columns would add fewer bytes, and becomes one core's each.

// CHECK-LABEL: func.func @three_kinds
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 1 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {id = 2 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {id = 3 : i32}

// ONE-LABEL:   func.func @three_kinds
// ONE-NOT:     broadcast_pattern
// ONE-LABEL:   func.func @all_with_rows
func.func @three_kinds(%a: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%m=%a) : memref<64xi32> {
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %l = memref.alloc() : memref<8xi32, 2>
    %s = memref.alloc() : memref<1xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[%x] [%c8] [%c1]) {broadcast_pattern = #rows, id = 1 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%s[] [] [], %m[%y] [%c1] [%c1]) {broadcast_pattern = #cols, id = 2 : i32} : (memref<1xi32, 2>, memref<64xi32>)
    %both = arith.muli %x, %y : index
    air.dma_memcpy_nd (%l[] [] [], %m[%both] [%c8] [%c1]) {id = 3 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%m[%both] [%c8] [%c1], %l[] [] []) {id = 4 : i32} : (memref<64xi32>, memref<8xi32, 2>)
  }
  return
}

// What goes to all goes to rows, beside that which does, and beside columns: nothing need be sent to single cores.

// CHECK-LABEL: func.func @all_with_rows
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 1 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[COLS]], id = 2 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 3 : i32}
func.func @all_with_rows(%a: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%m=%a) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[%x] [%c8] [%c1]) {broadcast_pattern = #rows, id = 1 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%l[] [] [], %m[%y] [%c8] [%c1]) {broadcast_pattern = #cols, id = 2 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%l[] [] [], %m[%c0] [%c8] [%c1]) {broadcast_pattern = #all, id = 3 : i32} : (memref<8xi32, 2>, memref<64xi32>)
  }
  return
}

// Two channels suffice for two kinds, however many transfers there are; and one transfer for each of them.

// CHECK-LABEL: func.func @two_kinds
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 1 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 2 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {id = 3 : i32}
func.func @two_kinds(%a: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%m=%a) : memref<64xi32> {
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[%x] [%c8] [%c1]) {broadcast_pattern = #rows, id = 1 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%l[] [] [], %m[%x] [%c8] [%c1]) {broadcast_pattern = #rows, id = 2 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    %both = arith.muli %x, %y : index
    air.dma_memcpy_nd (%l[] [] [], %m[%both] [%c8] [%c1]) {id = 3 : i32} : (memref<8xi32, 2>, memref<64xi32>)
  }
  return
}

// Rows and columns serve different cores: neither can go the other's way, and herds of no constant size are left alone.

// ONE-LABEL:   func.func @unlike
// ONE:         dma_memcpy_nd {{.*}} {broadcast_pattern
// ONE:         dma_memcpy_nd {{.*}} {broadcast_pattern
func.func @unlike(%a: memref<64xi32>, %n: index) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%m=%a) : memref<64xi32> {
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[%x] [%c8] [%c1]) {broadcast_pattern = #rows, id = 1 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%l[] [] [], %m[%y] [%c8] [%c1]) {broadcast_pattern = #cols, id = 2 : i32} : (memref<8xi32, 2>, memref<64xi32>)
  }
  return
}
