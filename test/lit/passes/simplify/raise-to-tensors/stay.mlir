// Functions that say where and in which parts they compute stay as they are, and those whose order of accesses matters.
// RUN: allo-opt %s --raise-to-tensors | filecheck %s

// CHECK-LABEL: func.func @tiles(%arg0: memref<8x8xf32>
// CHECK:         scf.parallel
func.func @tiles(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c4) {
    %s = memref.subview %a[%i, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    %t = memref.subview %b[%i, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    linalg.exp ins(%s : memref<4x8xf32, strided<[8, 1], offset: ?>>) outs(%t : memref<4x8xf32, strided<[8, 1], offset: ?>>)
  }
  return
}

// CHECK-LABEL: func.func @serial_tiles(%arg0: memref<8x8xf32>
// CHECK:         scf.for
func.func @serial_tiles(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c4 {
    %s = memref.subview %a[%i, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    %t = memref.subview %b[%i, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    linalg.exp ins(%s : memref<4x8xf32, strided<[8, 1], offset: ?>>) outs(%t : memref<4x8xf32, strided<[8, 1], offset: ?>>)
  }
  return
}

// CHECK-LABEL: func.func @in_l1(%arg0: memref<8xf32>
func.func @in_l1(%a: memref<8xf32>, %b: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32, 2>
  memref.copy %a, %t : memref<8xf32> to memref<8xf32, 2>
  linalg.exp ins(%t : memref<8xf32, 2>) outs(%b : memref<8xf32>)
  memref.dealloc %t : memref<8xf32, 2>
  return
}

// Each row would be read after it was written.
// CHECK-LABEL: func.func @in_an_order(%arg0: memref<8x8xf32>
func.func @in_an_order(%a: memref<8x8xf32>) {
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @overlapping(%arg0: memref<9xf32>
func.func @overlapping(%a: memref<9xf32>) {
  %s = memref.subview %a[0] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1]>>
  %t = memref.subview %a[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.exp ins(%s : memref<8xf32, strided<[1]>>) outs(%t : memref<8xf32, strided<[1], offset: 1>>)
  return
}

// Two views of one buffer in a nest.
// CHECK-LABEL: func.func @views(%arg0: memref<9xf32>
func.func @views(%a: memref<9xf32>) {
  %s = memref.subview %a[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<9xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %s[%i] : memref<8xf32, strided<[1], offset: 1>>
  }
  return
}

// CHECK-LABEL: func.func @state(%arg0: memref<2xf32>
memref.global "private" @w : memref<2xf32> = dense<[1.0, 2.0]>
func.func @state(%a: memref<2xf32>) {
  %w = memref.get_global @w : memref<2xf32>
  linalg.add ins(%a, %w : memref<2xf32>, memref<2xf32>) outs(%w : memref<2xf32>)
  return
}

// CHECK-LABEL: func.func @number(%arg0: memref<8xf32>, %arg1: f32
func.func @number(%a: memref<8xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  return
}

// Views that a loop makes, and other operations on buffers in it.
// CHECK-LABEL: func.func @views_in_a_loop(%arg0: memref<8x8xf32>
// CHECK:         affine.for
// CHECK-LABEL: func.func @vectors_in_a_loop(%arg0: memref<8x8xf32>
// CHECK:         vector.transfer_write
func.func @views_in_a_loop(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    %s = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    affine.for %j = 0 to 8 {
      %x = affine.load %s[%j] : memref<8xf32, strided<[1], offset: ?>>
      affine.store %x, %b[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

func.func @vectors_in_a_loop(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    %p = ub.poison : f32
    %x = vector.transfer_read %a[%i, %c0], %p {in_bounds = [true]} : memref<8x8xf32>, vector<8xf32>
    vector.transfer_write %x, %b[%i, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32>
  }
  return
}
