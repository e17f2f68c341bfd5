// RUN: allo-opt %s --air-fuse-nested-herd | filecheck %s
// RUN: allo-opt %s --air-fuse-nested-herd=order=inner-outer --canonicalize | filecheck %s --check-prefix=SWAP
// RUN: not allo-opt %s --air-fuse-nested-herd=order=both 2>&1 | filecheck %s --check-prefix=ORDER

// CHECK: air.herd @o tile (%[[X:.*]], %[[V:.*]]) in (%{{.*}}=%c4{{.*}}, %{{.*}}=%c2{{.*}})
// CHECK-NOT: air.herd @i
// CHECK: air.dma_memcpy_nd ({{.*}}[%{{.*}}, %[[V]]]
// SWAP: air.herd @o tile (%[[V:.*]], %[[X:.*]]) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c4{{.*}})
// SWAP: air.dma_memcpy_nd ({{.*}}[%[[X]], %[[V]]]
// ORDER: option 'order' is 'both', expected one of outer-inner, inner-outer
func.func @f(%m: memref<4x2xi32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.herd @o tile (%x, %y) in (%sx=%c4, %sy=%c1) args(%a=%m) : memref<4x2xi32> {
    %c2 = arith.constant 2 : index
    %d1 = arith.constant 1 : index
    %z = arith.addi %x, %y : index
    air.herd @i tile (%u, %v) in (%su=%d1, %sv=%c2) args(%b=%a, %k=%z) : memref<4x2xi32>, index {
      %e0 = arith.constant 0 : index
      %e1 = arith.constant 1 : index
      %e2 = arith.constant 2 : index
      %c9 = arith.constant 9 : i32
      %l = memref.alloc() : memref<1xi32, 2>
      linalg.fill ins(%c9 : i32) outs(%l : memref<1xi32, 2>)
      air.dma_memcpy_nd (%b[%k, %v] [%e1, %e1] [%e2, %e1], %l[] [] []) : (memref<4x2xi32>, memref<1xi32, 2>)
      memref.dealloc %l : memref<1xi32, 2>
    }
  }
  return
}

// Two wide dimensions, or other work beside the inner herd: stays.

// CHECK-LABEL: func.func @g
// CHECK: air.herd @wide
// CHECK:   air.herd @in
func.func @g() {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @wide tile (%x, %y) in (%sx=%c2, %sy=%c2) {
    %d2 = arith.constant 2 : index
    %d1 = arith.constant 1 : index
    air.herd @in tile (%u, %v) in (%su=%d2, %sv=%d1) {
    }
  }
  return
}
