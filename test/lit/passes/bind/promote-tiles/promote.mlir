// RUN: allo-opt %s --split-input-file --promote-tiles | filecheck %s

// What is read is copied in, what is written back, where the view is; a fill makes the first copy needless.

// CHECK-LABEL: @one_level
// CHECK:         scf.parallel
// CHECK:           %[[V:.*]] = memref.subview %arg0
// CHECK-NEXT:      %[[A:.*]] = memref.alloc() : memref<16xf32, 2 : i32>
// CHECK-NEXT:      memref.copy %[[V]], %[[A]]
// CHECK-NEXT:      %[[W:.*]] = memref.subview %arg1
// CHECK-NEXT:      %[[B:.*]] = memref.alloc() : memref<16xf32, 2 : i32>
// CHECK-NEXT:      linalg.exp ins(%[[A]] : memref<16xf32, 2 : i32>) outs(%[[B]] : memref<16xf32, 2 : i32>)
// CHECK:           memref.copy %[[B]], %[[W]]
func.func @one_level(%a: memref<64xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c16) {
    %v = memref.subview %a[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    %w = memref.subview %b[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    linalg.exp ins(%v : memref<16xf32, strided<[1], offset: ?>>) outs(%w : memref<16xf32, strided<[1], offset: ?>>)
  }
  return
}

// -----

// A view made between the loops goes to L2, and so does a buffer allocated there; the views of it follow.

// CHECK-LABEL: @two_levels
// CHECK:         scf.parallel
// CHECK:           %[[T:.*]] = memref.alloc() : memref<32x8xi32, 1 : i32>
// CHECK:           %[[V:.*]] = memref.subview %arg0[%{{.*}}, 0] [32, 8]
// CHECK-NEXT:      %[[A:.*]] = memref.alloc() : memref<32x8xi32, 1 : i32>
// CHECK-NEXT:      memref.copy %[[V]], %[[A]]
// CHECK:           scf.parallel
// CHECK:             %[[S:.*]] = memref.subview %[[A]][%{{.*}}, 0] [16, 8] [1, 1] : memref<32x8xi32, 1 : i32> to memref<16x8xi32, strided<[8, 1], offset: ?>, 1 : i32>
// CHECK:             %[[L:.*]] = memref.alloc() : memref<16x8xi32, 2 : i32>
// CHECK-NEXT:        memref.copy %[[S]], %[[L]]
// CHECK:             %[[R:.*]] = memref.subview %{{.*}}[%{{.*}}, 0] [16, 8]
func.func @two_levels(%a: memref<64x8xi32>, %b: memref<64x8xi32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c32) {
    %t = memref.alloc() : memref<32x8xi32>
    %v = memref.subview %a[%i, 0] [32, 8] [1, 1] : memref<64x8xi32> to memref<32x8xi32, strided<[8, 1], offset: ?>>
    %w = memref.subview %b[%i, 0] [32, 8] [1, 1] : memref<64x8xi32> to memref<32x8xi32, strided<[8, 1], offset: ?>>
    scf.parallel (%j) = (%c0) to (%c32) step (%c16) {
      %x = memref.subview %v[%j, 0] [16, 8] [1, 1] : memref<32x8xi32, strided<[8, 1], offset: ?>> to memref<16x8xi32, strided<[8, 1], offset: ?>>
      %y = memref.subview %w[%j, 0] [16, 8] [1, 1] : memref<32x8xi32, strided<[8, 1], offset: ?>> to memref<16x8xi32, strided<[8, 1], offset: ?>>
      linalg.add ins(%x, %x : memref<16x8xi32, strided<[8, 1], offset: ?>>, memref<16x8xi32, strided<[8, 1], offset: ?>>) outs(%y : memref<16x8xi32, strided<[8, 1], offset: ?>>)
    }
    memref.dealloc %t : memref<32x8xi32>
  }
  return
}

// -----

// Without parallel loops it is one core's work; in a loop, an accumulator stays, and operands come again.

// CHECK-LABEL: @one_core
// CHECK:         scf.parallel
// CHECK:           %[[C:.*]] = memref.alloc() : memref<8x8xi32, 2 : i32>
// CHECK:           linalg.fill {{.*}} outs(%[[C]]
// CHECK:           scf.for
// CHECK:             memref.copy
// CHECK:             memref.copy
// CHECK:             linalg.matmul {{.*}} outs(%[[C]]
// CHECK:           memref.copy %[[C]], %arg2
func.func @one_core(%a: memref<8x32xi32>, %b: memref<32x8xi32>, %c: memref<8x8xi32>) {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  linalg.fill ins(%z : i32) outs(%c : memref<8x8xi32>)
  scf.for %k = %c0 to %c32 step %c8 {
    %v = memref.subview %a[0, %k] [8, 8] [1, 1] : memref<8x32xi32> to memref<8x8xi32, strided<[32, 1], offset: ?>>
    %w = memref.subview %b[%k, 0] [8, 8] [1, 1] : memref<32x8xi32> to memref<8x8xi32, strided<[8, 1], offset: ?>>
    linalg.matmul ins(%v, %w : memref<8x8xi32, strided<[32, 1], offset: ?>>, memref<8x8xi32, strided<[8, 1], offset: ?>>) outs(%c : memref<8x8xi32>)
  }
  return
}

// -----

// Memory spaces say it already.

// CHECK-LABEL: @placed
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT:     memref.alloc
func.func @placed(%a: memref<8xi32>) {
  %l = memref.alloc() : memref<8xi32, 2>
  memref.copy %a, %l : memref<8xi32> to memref<8xi32, 2>
  linalg.add ins(%l, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%l : memref<8xi32, 2>)
  memref.copy %l, %a : memref<8xi32, 2> to memref<8xi32>
  memref.dealloc %l : memref<8xi32, 2>
  return
}

// A core that stores single elements gets a view of them.

// CHECK-LABEL: func.func @elements(
// CHECK:       scf.parallel (%[[I:.*]]) =
// CHECK:         %[[V:.*]] = memref.subview %arg1[{{.*}}, {{.*}}] [1, 12] [1, 1]
// CHECK:         memref.store %{{.*}}, %[[L:.*]][{{.*}}] : memref<1x12xi32, 2 : i32>
// CHECK:         memref.copy %[[L]], %[[V]]
func.func @elements(%v: i32, %a: memref<4x12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.for %j = %c0 to %c12 step %c1 {
      memref.store %v, %a[%i, %j] : memref<4x12xi32>
    }
  }
  return
}
