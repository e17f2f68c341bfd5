// RUN: allo-opt %s --air-par-to-herd | filecheck %s

// herd_1 is taken; names are unique in the module, across functions.

// CHECK-LABEL: func.func @first
// CHECK:       air.herd @herd_0
// CHECK:       air.herd @herd_2
func.func @first() {
  scf.forall (%i) in (2) { }
  scf.forall (%i) in (3) { }
  return
}

func.func @herd_1() {
  return
}

// Herds on the same L1 buffer, seen through views too, are phases of the same cores; herds on the same L2 buffer are not.

// CHECK-LABEL: func.func @phases
// CHECK:       air.herd @herd_3
// CHECK:       air.herd @herd_4
// CHECK:       air.herd @herd_3
// CHECK:       air.herd @herd_3
func.func @phases(%l2: memref<8xi32, 1>) {
  %x = memref.alloc() : memref<8xi32, 2>
  %y = memref.alloc() : memref<8xi32, 2 : i32>
  %half = memref.subview %x[0] [4] [1] : memref<8xi32, 2> to memref<4xi32, strided<[1]>, 2>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  scf.forall (%i) in (2) {
    memref.store %zero, %x[%c0] : memref<8xi32, 2>
  }
  scf.forall (%i) in (2) {
    memref.copy %l2, %l2 : memref<8xi32, 1> to memref<8xi32, 1>
  }
  scf.forall (%i) in (2) {
    memref.store %zero, %y[%c0] : memref<8xi32, 2 : i32>
  }
  scf.forall (%i) in (2) {
    memref.store %zero, %half[%c0] : memref<4xi32, strided<[1]>, 2>
    memref.store %zero, %y[%c0] : memref<8xi32, 2 : i32>
  }
  return
}

// A herd that exists keeps its name and lends it.

// CHECK-LABEL: func.func @existing
// CHECK:       air.herd @mine
// CHECK:       air.herd @mine
func.func @existing() {
  %x = memref.alloc() : memref<8xi32, 2>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.forall (%i) in (2) {
    memref.store %zero, %x[%c0] : memref<8xi32, 2>
  }
  air.herd @mine tile (%i, %j) in (%m=%c1, %n=%c1) args(%y=%x) : memref<8xi32, 2> {
    memref.dealloc %y : memref<8xi32, 2>
  }
  return
}

// CHECK:       func.func private @kernel
// CHECK-LABEL: func.func @links
// CHECK:       air.herd @herd_{{.*}} attributes {link_with = "mm.o"} {
// CHECK:         func.call @kernel
func.func private @kernel() attributes {link_with = "mm.o"}
func.func private @inline()
func.func @links() {
  scf.forall (%i) in (2) {
    func.call @kernel() : () -> ()
    func.call @inline() : () -> ()
  }
  return
}
