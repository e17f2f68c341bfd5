// RUN: allo-opt %s --split-input-file --outline-tiled-loops | filecheck %s

// Two loops and what is between them are three kernels, of which the equal ones are one; views come along.

// CHECK-LABEL: func.func private @f_0_0(%arg0: memref<64xi32>) attributes {allo.kernel}
// CHECK:         memref.subview %arg0[0] [16] [1]
// CHECK:         scf.parallel
// CHECK-LABEL: func.func private @f_0_1(%arg0: memref<64xi32>
// CHECK-NOT:     scf.parallel
// CHECK:         linalg.fill
// CHECK-LABEL: func.func @f(
// CHECK:         call @f_0_0(%arg0)
// CHECK:         call @f_0_1(%arg0)
// CHECK:         call @f_0_0(%arg0)
// CHECK-NEXT:    return
func.func @f(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 7 : i32
  %v = memref.subview %a[0] [16] [1] : memref<64xi32> to memref<16xi32, strided<[1]>>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %x = memref.load %v[%i] : memref<16xi32, strided<[1]>>
    %y = arith.addi %x, %n : i32
    memref.store %y, %v[%i] : memref<16xi32, strided<[1]>>
  }
  %w = memref.subview %a[16] [48] [1] : memref<64xi32> to memref<48xi32, strided<[1], offset: 16>>
  linalg.fill ins(%n : i32) outs(%w : memref<48xi32, strided<[1], offset: 16>>)
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %x = memref.load %v[%i] : memref<16xi32, strided<[1]>>
    %y = arith.addi %x, %n : i32
    memref.store %y, %v[%i] : memref<16xi32, strided<[1]>>
  }
  return
}

// -----

// One loop is the function's own work; buffers near the cores that several loops share keep them together.

// CHECK-LABEL: @one
// CHECK:         scf.parallel
// CHECK-LABEL: @shared
// CHECK:         scf.parallel
// CHECK:         scf.parallel
func.func @one(%a: memref<16xi32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %n, %a[%i] : memref<16xi32>
  }
  return
}
func.func @shared(%a: memref<16xi32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %l = memref.alloc() : memref<16xi32, 1>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %n, %l[%i] : memref<16xi32, 1>
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %x = memref.load %l[%i] : memref<16xi32, 1>
    memref.store %x, %a[%i] : memref<16xi32>
  }
  return
}
