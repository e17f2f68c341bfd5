// RUN: allo-opt %s --canonicalize=cse=true | filecheck %s
// RUN: allo-opt %s --canonicalize=cse=true --verify-each=execute | filecheck %s

// Two equal views become one, and the copy of one to the other goes; a copy between different views stays.

// CHECK-LABEL: func.func @f
// CHECK:         memref.copy
// CHECK-NOT:     memref.copy
func.func @f(%m: memref<8x8xf32>, %i: index) {
  %a = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  %b = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  %c = memref.subview %m[0, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<1x8xf32, strided<[8, 1]>>
  memref.copy %a, %b : memref<1x8xf32, strided<[8, 1], offset: ?>> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  memref.copy %a, %c : memref<1x8xf32, strided<[8, 1], offset: ?>> to memref<1x8xf32, strided<[8, 1]>>
  return
}
