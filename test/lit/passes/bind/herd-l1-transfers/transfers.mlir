// RUN: allo-opt %s --split-input-file --herd-l1-transfers | filecheck %s

// Both transfers become phases of the herd.
// CHECK-LABEL: func.func @phases
// CHECK:         %[[M:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK:         air.herd @h {{.*}} args(%[[N:.*]]=%[[M]], %[[Q:.*]]=%{{.*}}) : memref<8xi32, 2>, memref<8xi32>
// CHECK-NEXT:      air.dma_memcpy_nd (%[[N]][] [] [], %[[Q]][] [] [])
// CHECK:         air.herd @h {{.*}} args(%{{.*}}=%[[M]]) : memref<8xi32, 2>
// CHECK:         air.herd @h
// CHECK-NEXT:      air.dma_memcpy_nd
func.func @phases(%a: memref<8xi32>) {
  air.launch () in () args(%b=%a) : memref<8xi32> {
    air.segment @s args(%p=%b) : memref<8xi32> {
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<8xi32, 2>
      air.dma_memcpy_nd (%m[] [] [], %p[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
      air.herd @h tile (%i, %j) in (%x=%c1, %y=%c1) args(%n=%m) : memref<8xi32, 2> {
      }
      air.dma_memcpy_nd (%p[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
      memref.dealloc %m : memref<8xi32, 2>
    }
  }
  return
}

// -----

// Of two cores' buffers none is meant; L2 buffers are the segment's to move.
// CHECK-LABEL: func.func @others
// CHECK:         memref.alloc() : memref<8xi32, 1>
// CHECK-NEXT:    air.dma_memcpy_nd
// CHECK-NEXT:    air.dma_memcpy_nd
// CHECK-NEXT:    air.herd @h
func.func @others(%a: memref<8xi32>) {
  air.launch () in () args(%b=%a) : memref<8xi32> {
    air.segment @s args(%p=%b) : memref<8xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %m = memref.alloc() : memref<8xi32, 2>
      %l = memref.alloc() : memref<8xi32, 1>
      air.dma_memcpy_nd (%m[] [] [], %p[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
      air.dma_memcpy_nd (%l[] [] [], %p[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
      air.herd @h tile (%i, %j) in (%x=%c1, %y=%c2) args(%n=%m) : memref<8xi32, 2> {
      }
      memref.dealloc %m : memref<8xi32, 2>
      memref.dealloc %l : memref<8xi32, 1>
    }
  }
  return
}
