// RUN: allo-opt %s --wrap-l1-with-parallel | filecheck %s

// All from the first to the last use of an L1 buffer; the L2 buffer that is allocated among it goes in front.
// CHECK-LABEL: func.func @one_core
// CHECK:       memref.alloc() : memref<4x4xi32, 1>
// CHECK-NEXT:  memref.alloc() : memref<4x4xi32, 1>
// CHECK:       scf.parallel ({{.*}}) = (%[[Z:.*]], %[[Z]]) to (%[[O:.*]], %[[O]]) step (%[[O]], %[[O]]) {
// CHECK-NEXT:    memref.alloc() : memref<4x4xi32, 2>
// CHECK:         scf.for
// CHECK:         memref.dealloc {{.*}} : memref<4x4xi32, 2>
// CHECK-NEXT:    scf.reduce
// CHECK:       memref.copy {{.*}} : memref<4x4xi32, 1> to memref<4x4xi32>
func.func @one_core(%c: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 7 : i32
  %other = memref.alloc() : memref<4x4xi32, 1>
  %l1 = memref.alloc() : memref<4x4xi32, 2>
  %l2 = memref.alloc() : memref<4x4xi32, 1>
  linalg.fill ins(%v : i32) outs(%l1 : memref<4x4xi32, 2>)
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %v, %l1[%i, %i] : memref<4x4xi32, 2>
  }
  memref.copy %l1, %l2 : memref<4x4xi32, 2> to memref<4x4xi32, 1>
  memref.dealloc %l1 : memref<4x4xi32, 2>
  memref.copy %l2, %c : memref<4x4xi32, 1> to memref<4x4xi32>
  return
}

// A loop that allocates in L2 is one over launches: the core's loop goes into it.
// CHECK-LABEL: func.func @launches
// CHECK:       scf.parallel
// CHECK-NEXT:    memref.alloc() : memref<4xi32, 1>
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.alloc() : memref<4xi32, 2>
func.func @launches(%v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %l2 = memref.alloc() : memref<4xi32, 1>
    %l1 = memref.alloc() : memref<4xi32, 2>
    linalg.fill ins(%v : i32) outs(%l1 : memref<4xi32, 2>)
    memref.copy %l1, %l2 : memref<4xi32, 2> to memref<4xi32, 1>
    scf.reduce
  }
  return
}

// A loop over cores, and a herd, stay.
// CHECK-LABEL: func.func @cores
// CHECK:       scf.parallel
// CHECK-NEXT:    memref.alloc() : memref<4xi32, 2>
// CHECK:       air.herd
// CHECK-NEXT:    memref.alloc() : memref<4xi32, 2>
// CHECK-NOT:   scf.parallel
func.func @cores(%v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %l1 = memref.alloc() : memref<4xi32, 2>
    linalg.fill ins(%v : i32) outs(%l1 : memref<4xi32, 2>)
    scf.reduce
  }
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<4xi32, 2>
    memref.dealloc %l1 : memref<4xi32, 2>
  }
  return
}

// -----

// A loop without parallel loops around it is one core's, as a whole.

// CHECK-LABEL: @in_a_loop
// CHECK:         scf.parallel
// CHECK:           scf.for
// CHECK:             memref.alloc
func.func @in_a_loop(%a: memref<16xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c4 {
    %l1 = memref.alloc() : memref<4xi32, 2>
    linalg.fill ins(%v : i32) outs(%l1 : memref<4xi32, 2>)
    %s = memref.subview %a[%i] [4] [1] : memref<16xi32> to memref<4xi32, strided<[1], offset: ?>>
    memref.copy %l1, %s : memref<4xi32, 2> to memref<4xi32, strided<[1], offset: ?>>
    memref.dealloc %l1 : memref<4xi32, 2>
  }
  return
}
