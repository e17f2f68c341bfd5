// A condition of a loop over cores becomes scf.if; its tiles move with all cores.
// RUN: allo-opt %s --promote-tiles | filecheck %s

// CHECK-LABEL: func.func @some(
// CHECK:         affine.parallel
// CHECK:           memref.copy {{.*}} to memref<4x32xf32, 2 : i32>
// CHECK:           memref.copy {{.*}} to memref<4x32xf32, 2 : i32>
// CHECK:           scf.if
// CHECK-NEXT:        linalg.exp
// CHECK-NEXT:      }
func.func @some(%a: memref<16x32xf32>, %c: memref<16x32xf32>) {
  affine.parallel (%i) = (0) to (16) step (4) {
    affine.if affine_set<(d0) : (d0 - 8 >= 0)>(%i) {
      %s = memref.subview %a[%i, 0] [4, 32] [1, 1] : memref<16x32xf32> to memref<4x32xf32, strided<[32, 1], offset: ?>>
      %t = memref.subview %c[%i, 0] [4, 32] [1, 1] : memref<16x32xf32> to memref<4x32xf32, strided<[32, 1], offset: ?>>
      linalg.exp ins(%s : memref<4x32xf32, strided<[32, 1], offset: ?>>) outs(%t : memref<4x32xf32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}
