// RUN: allo-opt %s --air-prune-linalg-generic-input-dma | filecheck %s

#id = affine_map<(d0) -> (d0)>

// The generic writes all of %r and reads nothing of it: the copy into it goes, that of %l stays.
// CHECK-LABEL: func.func @overwritten
// CHECK: air.dma_memcpy_nd (%[[L:.*]][] [] [], %{{.*}}[] [] []) {id = 1 : i32}
// CHECK-NOT: id = 2 : i32
// CHECK: linalg.generic
// CHECK: air.dma_memcpy_nd {{.*}} {id = 3 : i32}
func.func @overwritten(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%m=%c1, %n=%c1) args(%b = %a) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    %r = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %b[] [] []) {id = 1 : i32} : (memref<8xi32, 2>, memref<8xi32>)
    air.dma_memcpy_nd (%r[] [] [], %b[] [] []) {id = 2 : i32} : (memref<8xi32, 2>, memref<8xi32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%l : memref<8xi32, 2>) outs(%r : memref<8xi32, 2>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    }
    air.dma_memcpy_nd (%b[] [] [], %r[] [] []) {id = 3 : i32} : (memref<8xi32>, memref<8xi32, 2>)
    memref.dealloc %l : memref<8xi32, 2>
    memref.dealloc %r : memref<8xi32, 2>
  }
  return
}

// What waited for the copy waits for what that waited for. An input whose elements nobody uses is not fetched.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[T:.*]], %[[L:.*]] = air.execute -> (memref<8xi32, 2>)
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: air.execute [%[[T]], %{{.*}}] {
// CHECK: linalg.generic
func.func @tokens(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%m=%c1, %n=%c1) args(%b = %a) : memref<8xi32> {
    %t, %l = air.execute -> (memref<8xi32, 2>) {
      %z = memref.alloc() : memref<8xi32, 2>
      air.execute_terminator %z : memref<8xi32, 2>
    }
    %u, %r = air.execute -> (memref<8xi32, 2>) {
      %z = memref.alloc() : memref<8xi32, 2>
      air.execute_terminator %z : memref<8xi32, 2>
    }
    %d = air.dma_memcpy_nd async [%t] (%l[] [] [], %b[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    %g = air.execute [%d, %u] {
      %c7 = arith.constant 7 : i32
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%l : memref<8xi32, 2>) outs(%r : memref<8xi32, 2>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %c7 : i32
      }
    }
    %f = air.execute [%g] {
      memref.dealloc %l : memref<8xi32, 2>
    }
  }
  return
}

// Read, written in part, or used by something else in between: the copies stay.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: air.dma_memcpy_nd
func.func @kept(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%m=%c1, %n=%c1) args(%b = %a) : memref<8xi32> {
    %c0 = arith.constant 0 : index
    %l = memref.alloc() : memref<8xi32, 2>
    %r = memref.alloc() : memref<8xi32, 2>
    %s = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %b[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    air.dma_memcpy_nd (%r[] [] [], %b[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    air.dma_memcpy_nd (%s[] [] [], %b[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    %v = memref.load %s[%c0] : memref<8xi32, 2>
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%l : memref<8xi32, 2>) outs(%r, %s : memref<8xi32, 2>, memref<8xi32, 2>) {
    ^bb0(%in: i32, %out: i32, %other: i32):
      %0 = arith.addi %in, %out : i32
      linalg.yield %0, %v : i32, i32
    }
  }
  return
}
