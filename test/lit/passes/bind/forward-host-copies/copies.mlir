// RUN: allo-opt %s --split-input-file --forward-host-copies | filecheck %s

// A copy in front, and one after, go.
// CHECK-LABEL: func.func @both
// CHECK-SAME:    (%[[X:.*]]: memref<64xf32>, %[[Z:.*]]: memref<64xf32>)
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         air.herd {{.*}} args(%{{.*}}=%[[X]], %{{.*}}=%[[Z]])
func.func @both(%x: memref<64xf32>, %z: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<64xf32>
  %u = memref.alloc() : memref<64xf32>
  memref.copy %x, %t : memref<64xf32> to memref<64xf32>
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %t, %b = %u) : memref<64xf32>, memref<64xf32> {
    %v = memref.alloc() : memref<64xf32, 2>
    air.dma_memcpy_nd (%v[] [] [], %a[] [] []) : (memref<64xf32, 2>, memref<64xf32>)
    air.dma_memcpy_nd (%b[] [] [], %v[] [] []) : (memref<64xf32>, memref<64xf32, 2>)
    memref.dealloc %v : memref<64xf32, 2>
  }
  memref.copy %u, %z : memref<64xf32> to memref<64xf32>
  memref.dealloc %t : memref<64xf32>
  return
}

// -----

// The buffer is written after the copy: its source must not change.
// CHECK-LABEL: func.func @written
// CHECK:         memref.copy
func.func @written(%x: memref<64xf32>, %z: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<64xf32>
  memref.copy %x, %t : memref<64xf32> to memref<64xf32>
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%b = %t) : memref<64xf32> {
    %v = memref.alloc() : memref<64xf32, 2>
    air.dma_memcpy_nd (%b[] [] [], %v[] [] []) : (memref<64xf32>, memref<64xf32, 2>)
    memref.dealloc %v : memref<64xf32, 2>
  }
  return
}

// -----

// The target is read before: it keeps what it had until then. A copy to the chip is none between host buffers.
// CHECK-LABEL: func.func @others
// CHECK:         memref.copy
// CHECK:         memref.copy
func.func @others(%x: memref<64xf32>, %z: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<64xf32, 1>
  memref.copy %x, %s : memref<64xf32> to memref<64xf32, 1>
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %z, %b = %t) : memref<64xf32>, memref<64xf32> {
    %v = memref.alloc() : memref<64xf32, 2>
    air.dma_memcpy_nd (%v[] [] [], %a[] [] []) : (memref<64xf32, 2>, memref<64xf32>)
    air.dma_memcpy_nd (%b[] [] [], %v[] [] []) : (memref<64xf32>, memref<64xf32, 2>)
    memref.dealloc %v : memref<64xf32, 2>
  }
  memref.copy %t, %z : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Two results from one buffer: the first takes its place, and a copy of that is left.
// CHECK-LABEL: func.func @twice
// CHECK-SAME:    (%[[X:.*]]: memref<64xf32>, %[[Z:.*]]: memref<64xf32>)
// CHECK-NOT:     memref.alloc() : memref<64xf32>
// CHECK:         air.herd {{.*}} args(%{{.*}}=%[[X]])
// CHECK:         memref.copy %[[X]], %[[Z]]
func.func @twice(%x: memref<64xf32>, %z: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<64xf32>
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%b = %u) : memref<64xf32> {
    %v = memref.alloc() : memref<64xf32, 2>
    air.dma_memcpy_nd (%b[] [] [], %v[] [] []) : (memref<64xf32>, memref<64xf32, 2>)
    memref.dealloc %v : memref<64xf32, 2>
  }
  memref.copy %u, %x : memref<64xf32> to memref<64xf32>
  memref.copy %u, %z : memref<64xf32> to memref<64xf32>
  return
}
