// RUN: allo-opt %s --air-fuse-alloc-dealloc | filecheck %s

air.channel @c [1]
air.channel @d [1]

// A loop that does other work beside the inner one takes the buffer.

// CHECK-LABEL: func.func @outer
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc() : memref<8xi32, 1>
// CHECK:           air.channel.get @c
// CHECK:           scf.for
// CHECK-NOT:         memref.alloc
// CHECK:             linalg.add
func.func @outer(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = memref.alloc() : memref<8xi32, 1>
  scf.for %i = %c0 to %c2 step %c1 {
    air.channel.put @c[%c0] (%x[] [] []) : (memref<8xi32>)
    air.channel.get @c[%c0] (%y[] [] []) : (memref<8xi32>)
    scf.for %j = %c0 to %c2 step %c1 {
      %z = arith.constant 1 : i32
      linalg.fill ins(%z : i32) outs(%b : memref<8xi32, 1>)
      linalg.add ins(%b, %y : memref<8xi32, 1>, memref<8xi32>) outs(%y : memref<8xi32>)
    }
  }
  memref.dealloc %b : memref<8xi32, 1>
  return
}

// What an iteration leaves for the next stays outside: here the first fills the buffer for all.

// CHECK-LABEL: func.func @first
// CHECK:         memref.alloc() : memref<8xi32, 1>
// CHECK:         scf.for
func.func @first(%x: memref<8xi32>, %y: memref<4x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8xi32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    %is = arith.cmpi eq, %i, %c0 : index
    scf.if %is {
      air.dma_memcpy_nd (%b[] [] [], %x[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    }
    air.dma_memcpy_nd (%y[%i, %c0] [%c1, %c8] [%c8, %c1], %b[] [] []) : (memref<4x8xi32>, memref<8xi32, 1>)
  }
  memref.dealloc %b : memref<8xi32, 1>
  return
}

// Parts that move with the iteration: moved in where each iteration reads what it wrote, not where it reads another's.

// CHECK-LABEL: func.func @part
// CHECK:         memref.alloc() : memref<4x8xi32, 1>
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc() : memref<32xi32, 1>
// CHECK-NOT:       memref.alloc
// CHECK:         return
func.func @part(%x: memref<32xi32>, %y: memref<4x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<32xi32, 1>
  %s = memref.alloc() : memref<4x8xi32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.muli %i, %c8 : index
    air.dma_memcpy_nd (%b[%o] [%c8] [%c1], %x[%o] [%c8] [%c1]) : (memref<32xi32, 1>, memref<32xi32>)
    air.dma_memcpy_nd (%y[%i, %c0] [%c1, %c8] [%c8, %c1], %b[%o] [%c8] [%c1]) : (memref<4x8xi32>, memref<32xi32, 1>)
    air.dma_memcpy_nd (%s[%i, %c0] [%c1, %c8] [%c8, %c1], %b[%o] [%c8] [%c1]) : (memref<4x8xi32, 1>, memref<32xi32, 1>)
    air.dma_memcpy_nd (%y[%c0, %c0] [%c1, %c8] [%c8, %c1], %s[%c0, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32>, memref<4x8xi32, 1>)
  }
  memref.dealloc %b : memref<32xi32, 1>
  memref.dealloc %s : memref<4x8xi32, 1>
  return
}

// Used at two places, or in external memory: stays.

// CHECK-LABEL: func.func @two
// CHECK:         memref.alloc() : memref<8xi32, 1>
// CHECK:         memref.alloc() : memref<8xi32>
// CHECK:         scf.for
func.func @two(%y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 1 : i32
  %b = memref.alloc() : memref<8xi32, 1>
  %h = memref.alloc() : memref<8xi32>
  linalg.fill ins(%z : i32) outs(%b : memref<8xi32, 1>)
  linalg.fill ins(%z : i32) outs(%h : memref<8xi32>)
  scf.for %i = %c0 to %c2 step %c1 {
    linalg.add ins(%b, %y : memref<8xi32, 1>, memref<8xi32>) outs(%y : memref<8xi32>)
  }
  air.launch (%i) in (%n=%c1) args(%k=%h, %u=%y) : memref<8xi32>, memref<8xi32> {
    linalg.add ins(%k, %u : memref<8xi32>, memref<8xi32>) outs(%u : memref<8xi32>)
  }
  memref.dealloc %b : memref<8xi32, 1>
  memref.dealloc %h : memref<8xi32>
  return
}
