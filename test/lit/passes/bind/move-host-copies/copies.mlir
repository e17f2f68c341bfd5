// RUN: allo-opt %s --split-input-file --move-host-copies=bytes=128 --canonicalize | filecheck %s

// A launch, through an L2 buffer.
// CHECK-LABEL: func.func @one
// CHECK-SAME:    (%[[X:.*]]: memref<4x8xf32>, %[[Z:.*]]: memref<4x8xf32>)
// CHECK:         air.launch {{.*}} args(%{{.*}}=%[[X]], %{{.*}}=%[[Z]])
// CHECK:           air.segment @copy args(%[[A:.*]]=%{{.*}}, %[[B:.*]]=%{{.*}})
// CHECK:             %[[L2:.*]] = memref.alloc() : memref<32xf32, 1>
// CHECK:             air.dma_memcpy_nd (%[[L2]][] [] [], %[[A]]
// CHECK:             air.dma_memcpy_nd (%[[B]]{{.*}}, %[[L2]][] [] [])
// CHECK-NOT:     memref.copy
func.func @one(%x: memref<4x8xf32>, %z: memref<4x8xf32>) {
  memref.copy %x, %z : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----

// 100 elements of 32 at a time, and four that are left.
// CHECK-LABEL: func.func @many
// CHECK:         scf.for
// CHECK:           memref.alloc() : memref<32xf32, 1>
// CHECK:         memref.alloc() : memref<4xf32, 1>
func.func @many(%x: memref<100xf32>, %z: memref<100xf32>) {
  linalg.copy ins(%x : memref<100xf32>) outs(%z : memref<100xf32>)
  return
}

// -----

// Every other column of a part: the elements of both sides by their strides. The view goes.
// CHECK-LABEL: func.func @part
// CHECK-NOT:     memref.subview
// CHECK:         air.dma_memcpy_nd ({{.*}}, %{{.*}}[9, 0, 0] [1, 2, 3] [1, 8, 2]
func.func @part(%x: memref<4x8xf32>, %z: memref<2x3xf32>) {
  %v = memref.subview %x[1, 1] [2, 3] [1, 2] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 2], offset: 9>>
  memref.copy %v, %z : memref<2x3xf32, strided<[8, 2], offset: 9>> to memref<2x3xf32>
  return
}

// -----

// Copies to the chip, in hierarchies and of unknown sizes are left.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: memref.copy
func.func @others(%x: memref<4xf32>, %z: memref<4xf32>, %d: memref<?xf32>, %e: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<4xf32, 1>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32, 1>
  memref.copy %d, %e : memref<?xf32> to memref<?xf32>
  air.launch (%i) in (%n = %c1) args(%a = %x, %b = %z) : memref<4xf32>, memref<4xf32> {
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  }
  return
}
