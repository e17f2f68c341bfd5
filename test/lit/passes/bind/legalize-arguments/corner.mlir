// An argument with strides is the leading corner of an array whose rows have the distance of its rows.
// RUN: allo-opt %s --legalize-arguments | filecheck %s

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %arg0: memref<16x64xf32>, %arg1: memref<8xf32>)
// CHECK-SAME:    holds = [{argument = 0 : i64, view = array<i64: 16, 32>}, {argument = 1 : i64, view = array<i64: 8>}]
// CHECK-SAME:    takes = [memref<16x32xf32>, memref<8xf32>]
// CHECK:         [[S:%.*]] = memref.subview %arg0[0, 0] [16, 32] [1, 1]
// CHECK:         [[C:%.*]] = memref.cast [[S]] : {{.*}} to memref<16x32xf32, strided<[64, 1], offset: ?>>
// CHECK:         memref.load [[C]]
func.func @rows(%a: memref<16x32xf32, strided<[64, 1], offset: ?>>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0, %c0] : memref<16x32xf32, strided<[64, 1], offset: ?>>
  memref.store %x, %b[%c0] : memref<8xf32>
  return
}

// CHECK-LABEL: func.func @planes(
// CHECK-SAME:    %arg0: memref<2x5x8xf32>)
func.func @planes(%a: memref<2x3x4xf32, strided<[40, 8, 1]>>) {
  return
}

// CHECK-LABEL: func.func @plain(%arg0: memref<8xf32>) {
func.func @plain(%a: memref<8xf32>) {
  return
}

// CHECK-LABEL: func.func private @private(%arg0: memref<2x3xf32, strided<[40, 1]>>) {
func.func private @private(%a: memref<2x3xf32, strided<[40, 1]>>) {
  return
}
