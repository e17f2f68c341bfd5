// RUN: allo-opt %s --split-input-file --herd-l1-transfers | filecheck %s
// RUN: sed 's/memref.store %one, .*first. :.*/%view = memref.subview %n[0, %i, %j] [1, 1, 1] [1, 1, 1] : memref<2x2x8xi32, 2> to memref<1x1x1xi32, strided<[16, 8, 1], offset: ?>, 2>/' %s | allo-opt --split-input-file --herd-l1-transfers | filecheck %s --check-prefix=OTHER

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

// Both cores get the whole of it. A transfer from their copies does not say which one it means; L2 buffers are the segment's.
// CHECK-LABEL: func.func @several
// CHECK:         memref.alloc() : memref<8xi32, 1>
// CHECK:         air.herd @h {{.*}} args(%[[N:.*]]=%{{.*}}, %{{.*}}) : memref<8xi32, 2>, memref<8xi32>
// CHECK-NEXT:      air.dma_memcpy_nd (%[[N]][] [] [], %{{.*}}[] [] [])
// CHECK:         air.dma_memcpy_nd {{.*}} : (memref<8xi32, 1>, memref<8xi32>)
// CHECK-NEXT:    air.herd @h
// CHECK:         air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
// CHECK-NEXT:    memref.dealloc
func.func @several(%a: memref<8xi32>) {
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
      air.dma_memcpy_nd (%p[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
      memref.dealloc %m : memref<8xi32, 2>
      memref.dealloc %l : memref<8xi32, 1>
    }
  }
  return
}

// -----

// All cores fill their copies; each core sends the part that its ids select. Where other indices are the ids, it stays.
// OTHER-LABEL: func.func @parts
// OTHER:         air.dma_memcpy_nd ({{.*}}, %{{.*}}[] [] [])
// CHECK-LABEL: func.func @parts
// CHECK:         air.herd @h {{.*}} args(%[[N:.*]]=%{{.*}}) : memref<2x2x8xi32, 2>
// CHECK:           linalg.fill ins(%{{.*}} : i32) outs(%[[N]] : memref<2x2x8xi32, 2>)
// CHECK:         air.herd @h
// CHECK:         air.herd @h tile (%[[X:.*]], %[[Y:.*]]) in {{.*}} args(%[[P:.*]]=%{{.*}}, %[[M:.*]]=%{{.*}})
// CHECK:           air.dma_memcpy_nd (%[[P]][%[[X]], %[[Y]], %c0_{{[0-9]+}}] [%c1{{.*}}, %[[M]][%[[X]], %[[Y]], %c0_{{[0-9]+}}] [%c1
func.func @parts(%a: memref<32xi32>) {
  air.launch () in () args(%b=%a) : memref<32xi32> {
    air.segment @s args(%p=%b) : memref<32xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %zero = arith.constant 0 : i32
      %m = memref.alloc() : memref<2x2x8xi32, 2>
      linalg.fill ins(%zero : i32) outs(%m : memref<2x2x8xi32, 2>)
      air.herd @h tile (%i, %j) in (%x=%c2, %y=%c2) args(%n=%m) : memref<2x2x8xi32, 2> {
        %first = arith.constant 0 : index
        %one = arith.constant 1 : i32
        memref.store %one, %n[%i, %j, %first] : memref<2x2x8xi32, 2>
      }
      air.dma_memcpy_nd (%p[%c0, %c0, %c0] [%c2, %c2, %c8] [%c8, %c16, %c1], %m[] [] []) : (memref<32xi32>, memref<2x2x8xi32, 2>)
      memref.dealloc %m : memref<2x2x8xi32, 2>
    }
  }
  return
}

// -----

// Of a row of cores, the one whose branch touches the buffer fills and sends it.
// CHECK-LABEL: func.func @branch
// CHECK:         air.herd @h tile (%[[X:.*]], %[[Y:.*]]) in {{.*}} args(%[[N:.*]]=%{{.*}}) : memref<8xi32, 2>
// CHECK:           affine.if #{{.*}}()[%[[X]], %[[Y]]] {
// CHECK-NEXT:        linalg.fill ins(%{{.*}} : i32) outs(%[[N]] : memref<8xi32, 2>)
// CHECK:         air.herd @h
// CHECK:         air.herd @h
// CHECK:           affine.if
// CHECK-NEXT:        air.dma_memcpy_nd
#first = affine_set<()[s0, s1] : (s0 == 0, s1 == 0)>
func.func @branch(%a: memref<8xi32>) {
  air.launch () in () args(%b=%a) : memref<8xi32> {
    air.segment @s args(%p=%b) : memref<8xi32> {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %m = memref.alloc() : memref<8xi32, 2>
      linalg.fill ins(%c0 : i32) outs(%m : memref<8xi32, 2>)
      air.herd @h tile (%i, %j) in (%x=%c4, %y=%c1) args(%n=%m) : memref<8xi32, 2> {
        affine.if #first()[%i, %j] {
          linalg.add ins(%n, %n : memref<8xi32, 2>, memref<8xi32, 2>) outs(%n : memref<8xi32, 2>)
        }
      }
      air.dma_memcpy_nd (%p[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
      memref.dealloc %m : memref<8xi32, 2>
    }
  }
  return
}
