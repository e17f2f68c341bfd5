// RUN: allo-opt %s --air-broadcast-detection | filecheck %s
// RUN: allo-opt %s --air-broadcast-detection --air-broadcast-detection | filecheck %s

// CHECK-DAG: #[[ROWS:.*]] = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 3 >= 0, s0 >= 0, -s0 + 1 >= 0)>
// CHECK-DAG: #[[COLS:.*]] = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 - s0 == 0, s0 >= 0, -s0 + 3 >= 0)>
// CHECK-DAG: #[[ALL:.*]] = affine_set<(d0, d1)[s0] : (s0 == 0, d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0)>

// By dimension 0, by dimension 1, by none, by both; out of the core; from the core's own L2 buffer; where a core loaded from.

// CHECK-LABEL: func.func @f
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 1 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[COLS]], id = 2 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ALL]], id = 3 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {id = 4 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {id = 5 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {id = 6 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {id = 7 : i32}
func.func @f(%a: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%m=%a) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %l = memref.alloc() : memref<8xi32, 2>
    %p = memref.alloc() : memref<8xindex, 2>
    %row = affine.apply affine_map<(d0) -> (d0 * 8)>(%x)
    %t, %col = air.execute -> (index) {
      %v = arith.muli %y, %c8 : index
      air.execute_terminator %v : index
    }
    %both = arith.addi %row, %col : index
    %read = memref.load %p[%c0] : memref<8xindex, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[%row] [%c8] [%c1]) {id = 1 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%l[] [] [], %m[%col] [%c8] [%c1]) {id = 2 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    scf.for %k = %c0 to %c8 step %c1 {
      air.dma_memcpy_nd (%l[] [] [], %m[%k] [%c8] [%sx]) {id = 3 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    }
    air.dma_memcpy_nd (%l[] [] [], %m[%both] [%c8] [%c1]) {id = 4 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%m[%row] [%c8] [%c1], %l[] [] []) {id = 5 : i32} : (memref<64xi32>, memref<8xi32, 2>)
    %own = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %own[] [] []) {id = 6 : i32} : (memref<8xi32, 2>, memref<8xi32, 2>)
    air.dma_memcpy_nd (%l[] [] [], %m[%read] [%c8] [%c1]) {id = 7 : i32} : (memref<8xi32, 2>, memref<64xi32>)
  }
  return
}

// What decides whether or how often a transfer runs counts as well, and so does what a loop carries, however it gets there.

// CHECK-LABEL: func.func @control
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 1 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[COLS]], id = 2 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 3 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #[[ROWS]], id = 4 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {id = 5 : i32}
func.func @control(%a: memref<64xi32, 1>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%m=%a) : memref<64xi32, 1> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %l = memref.alloc() : memref<8xi32, 2>
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      air.dma_memcpy_nd (%l[] [] [], %m[%c0] [%c8] [%c1]) {id = 1 : i32} : (memref<8xi32, 2>, memref<64xi32, 1>)
    }
    scf.for %k = %c0 to %y step %c1 {
      air.dma_memcpy_nd (%l[] [] [], %m[%c0] [%c8] [%c1]) {id = 2 : i32} : (memref<8xi32, 2>, memref<64xi32, 1>)
    }
    %r:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%u = %c0, %v = %x) -> (index, index) {
      air.dma_memcpy_nd (%l[] [] [], %m[%u] [%c8] [%c1]) {id = 3 : i32} : (memref<8xi32, 2>, memref<64xi32, 1>)
      air.dma_memcpy_nd (%l[] [] [], %m[%v] [%c8] [%c1]) {id = 4 : i32} : (memref<8xi32, 2>, memref<64xi32, 1>)
      scf.yield %v, %u : index, index
    }
    affine.if affine_set<(d0, d1) : (d0 + d1 >= 0)>(%x, %y) {
      air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {id = 5 : i32} : (memref<8xi32, 2>, memref<64xi32, 1>)
    }
  }
  return
}

// Along a dimension of size one there is nobody to share with.

// CHECK-LABEL: func.func @thin
// CHECK:       dma_memcpy_nd {{.*}} {id = 1 : i32}
// CHECK:       dma_memcpy_nd {{.*}} {broadcast_pattern = #{{.*}}, id = 2 : i32}
func.func @thin(%a: memref<64xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c4, %sy=%c1) args(%m=%a) : memref<64xi32> {
    %d1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[%x] [%c8] [%d1]) {id = 1 : i32} : (memref<8xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%l[] [] [], %m[%y] [%c8] [%d1]) {id = 2 : i32} : (memref<8xi32, 2>, memref<64xi32>)
  }

  // CHECK: dma_memcpy_nd {{.*}} {id = 3 : i32}
  air.herd @g tile (%x, %y) in (%sx=%n, %sy=%c4) args(%m=%a) : memref<64xi32> {
    %l = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {id = 3 : i32} : (memref<64xi32, 2>, memref<64xi32>)
  }
  return
}
