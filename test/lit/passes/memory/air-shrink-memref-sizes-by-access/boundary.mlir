// RUN: allo-opt --syntax=2026-03 %s --air-shrink-memref-sizes-by-access | filecheck %s

air.channel @c [1]

func.func private @kernel(memref<8x8xi32, strided<[16, 1]>, 1>)

// The box around all parts counts; a loop's whole range does.

// CHECK-LABEL: func.func @box
// CHECK:         %[[B:.*]] = memref.alloc() {shrinkage = true} : memref<12xi32, 1>
// CHECK:         air.channel.get @c[%c0] (%[[B]][%c4] [%c4] [%c1])
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           air.channel.put @c[%c0] (%[[B]][%[[I]]] [%c4] [%c1])
func.func @box() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<64xi32, 1>
  air.channel.get @c[%c0] (%b[%c4] [%c4] [%c1]) : (memref<64xi32, 1>)
  scf.for %i = %c0 to %c12 step %c4 {
    air.channel.put @c[%c0] (%b[%i] [%c4] [%c1]) : (memref<64xi32, 1>)
  }
  memref.dealloc %b : memref<64xi32, 1>
  return
}

// All of it is used: no mark. Used by what is not understood, a single element, or beyond its end: marked, and left.

// CHECK-LABEL: func.func @kept
// CHECK:         memref.alloc() : memref<8xi32, 1>
// CHECK:         memref.alloc() {shrinkage = false} : memref<16x16xi32, 1>
// CHECK:         memref.alloc() {shrinkage = false} : memref<8x8xi32, 1>
// CHECK:         memref.alloc() {shrinkage = false} : memref<64xi32, 1>
// CHECK:         memref.alloc() {shrinkage = false} : memref<10xi32, 1>
func.func @kept(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xi32, 1>
  air.channel.put @c[%c0] (%a[] [] []) : (memref<8xi32, 1>)
  %b = memref.alloc() : memref<16x16xi32, 1>
  %v = memref.subview %b[0, 0] [8, 8] [1, 1] : memref<16x16xi32, 1> to memref<8x8xi32, strided<[16, 1]>, 1>
  func.call @kernel(%v) : (memref<8x8xi32, strided<[16, 1]>, 1>) -> ()
  %d = memref.alloc() : memref<8x8xi32, 1>
  air.channel.put @c[%c0] (%d[%c1, %c1] [%c1, %c1] [%c1, %c1]) : (memref<8x8xi32, 1>)
  %e = memref.alloc() : memref<64xi32, 1>
  air.channel.put @c[%c0] (%e[%c0] [%n] [%c1]) : (memref<64xi32, 1>)
  %c8 = arith.constant 8 : index
  %f = memref.alloc() : memref<10xi32, 1>
  air.channel.put @c[%c0] (%f[%c8] [%c8] [%c1]) : (memref<10xi32, 1>)
  return
}

// External memory is the host's, whatever of it is used.

// CHECK-LABEL: func.func @host
// CHECK:         memref.alloc() : memref<64xi32>
func.func @host() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<64xi32>
  air.channel.put @c[%c0] (%b[%c0] [%c4] [%c1]) : (memref<64xi32>)
  return
}
