// RUN: allo-opt %s --air-exchange-shared-l1 --verify-each=execute | filecheck %s

// The second herd gets what the first wrote into a buffer of its own; phases of one herd share theirs, and need no channel.

// CHECK:       air.channel @shared_0 [2, 1]
// CHECK-NOT:   air.channel @
// CHECK-LABEL: @f
// CHECK:         %[[B:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK:         air.herd @one tile (%[[X:.*]], %[[Y:.*]]) in {{.*}} args(%[[M:.*]]=%[[A]])
// CHECK:           linalg.fill
// CHECK-NEXT:      air.channel.put @shared_0[%[[X]], %[[Y]]] (%[[M]][] [] [])
// CHECK:         air.herd @two tile (%[[X:.*]], %[[Y:.*]]) in {{.*}} args(%[[M:.*]]=%[[B]], %{{.*}})
// CHECK-NEXT:      air.channel.get @shared_0[%[[X]], %[[Y]]] (%[[M]][] [] [])
// CHECK:         memref.dealloc %[[B]]
// CHECK-NEXT:    memref.dealloc %[[A]]
func.func @f(%c: memref<2x8xi32>) {
  air.launch () in () args(%x=%c) : memref<2x8xi32> {
    air.segment @s args(%u=%x) : memref<2x8xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %m = memref.alloc() : memref<8xi32, 2>
      air.herd @one tile (%i, %j) in (%p=%c2, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
        %v = arith.index_cast %i : index to i32
        linalg.fill ins(%v : i32) outs(%a : memref<8xi32, 2>)
      }
      air.herd @two tile (%i, %j) in (%p=%c2, %q=%c1) args(%a=%m, %dst=%u) : memref<8xi32, 2>, memref<2x8xi32> {
        %c0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        air.dma_memcpy_nd (%dst[%i, %c0] [%k1, %c8] [%c8, %k1], %a[] [] []) : (memref<2x8xi32>, memref<8xi32, 2>)
      }
      memref.dealloc %m : memref<8xi32, 2>
    }
  }
  return
}

// The first writer leaves elements out: what is brought over begins with zeros.

// CHECK-LABEL: func.func @halves
// CHECK:         air.herd @low
// CHECK:           linalg.fill
// CHECK:           memref.store
// CHECK:           air.channel.put
// CHECK:         air.herd @high
// CHECK:           air.channel.get
// CHECK-NOT:       linalg.fill
// CHECK:           memref.store
func.func @halves() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<8xi32, 2>
      air.herd @low tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %v = arith.constant 7 : i32
        scf.for %k = %c0 to %c4 step %c1_0 {
          memref.store %v, %a[%k] : memref<8xi32, 2>
        }
      }
      air.herd @high tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %c1_0 = arith.constant 1 : index
        %v = arith.constant 9 : i32
        scf.for %k = %c4 to %c8 step %c1_0 {
          memref.store %v, %a[%k] : memref<8xi32, 2>
        }
      }
      air.herd @both tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
        linalg.add ins(%a, %a : memref<8xi32, 2>, memref<8xi32, 2>) outs(%a : memref<8xi32, 2>)
      }
      memref.dealloc %m : memref<8xi32, 2>
    }
  }
  return
}
