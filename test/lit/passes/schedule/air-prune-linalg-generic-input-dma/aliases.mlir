// RUN: allo-opt %s --air-prune-linalg-generic-input-dma | filecheck %s

#id = affine_map<(d0) -> (d0)>

// A view that was made before the copy reads what it brings.
// CHECK-LABEL: func.func @view
// CHECK-COUNT-2: air.dma_memcpy_nd
func.func @view(%m: memref<8xi32>, %a: memref<8xi32, 2>, %o: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%hm=%m, %ha=%a, %ho=%o) : memref<8xi32>, memref<8xi32, 2>, memref<4xi32> {
    %b = memref.alloc() : memref<8xi32, 2>
    %v = memref.subview %b[0] [4] [1] : memref<8xi32, 2> to memref<4xi32, strided<[1]>, 2>
    air.dma_memcpy_nd (%b[] [] [], %hm[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    air.dma_memcpy_nd (%ho[] [] [], %v[] [] []) : (memref<4xi32>, memref<4xi32, strided<[1]>, 2>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%ha : memref<8xi32, 2>) outs(%b : memref<8xi32, 2>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    }
  }
  return
}

// The copy into a part of what the generic writes goes; where the generic writes a part of it, it stays.
// CHECK-LABEL: func.func @parts
// CHECK-NOT: id = 1 : i32
// CHECK: air.dma_memcpy_nd {{.*}} {id = 2 : i32}
func.func @parts(%m: memref<8xi32>, %n: memref<4xi32>, %o: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%hm=%m, %hn=%n, %ho=%o) : memref<8xi32>, memref<4xi32>, memref<8xi32> {
    %c7 = arith.constant 7 : i32
    %b = memref.alloc() : memref<8xi32, 2>
    %v = memref.subview %b[0] [4] [1] : memref<8xi32, 2> to memref<4xi32, strided<[1]>, 2>
    air.dma_memcpy_nd (%v[] [] [], %hn[] [] []) {id = 1 : i32} : (memref<4xi32, strided<[1]>, 2>, memref<4xi32>)
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%b : memref<8xi32, 2>) {
    ^bb0(%out: i32):
      linalg.yield %c7 : i32
    }
    air.dma_memcpy_nd (%b[] [] [], %hm[] [] []) {id = 2 : i32} : (memref<8xi32, 2>, memref<8xi32>)
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%v : memref<4xi32, strided<[1]>, 2>) {
    ^bb0(%out: i32):
      linalg.yield %c7 : i32
    }
    air.dma_memcpy_nd (%ho[] [] [], %b[] [] []) {id = 3 : i32} : (memref<8xi32>, memref<8xi32, 2>)
  }
  return
}

// Another herd reads the buffer, which the generic does not write.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-2: air.dma_memcpy_nd
func.func @shared(%m: memref<8xi32>, %a: memref<8xi32, 2>, %b: memref<8xi32, 2>, %c: memref<8xi32, 2>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%hm=%m, %ha=%a, %hb=%b, %hc=%c) : memref<8xi32>, memref<8xi32, 2>, memref<8xi32, 2>, memref<8xi32, 2> {
    air.dma_memcpy_nd (%hb[] [] [], %hm[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%ha, %hb : memref<8xi32, 2>, memref<8xi32, 2>) outs(%hc : memref<8xi32, 2>) {
    ^bb0(%in: i32, %in2: i32, %out: i32):
      linalg.yield %in : i32
    }
  }
  air.herd @h2 tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%hm=%m, %hb=%b) : memref<8xi32>, memref<8xi32, 2> {
    air.dma_memcpy_nd (%hm[] [] [], %hb[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
  }
  return
}
