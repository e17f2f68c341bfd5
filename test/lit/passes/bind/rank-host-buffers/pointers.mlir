// RUN: allo-opt %s --rank-host-buffers | filecheck %s
// RUN: allo-opt %s --rank-host-buffers --verify-each=execute -o /dev/null

// The last of 4 blocks of 64 begins at 192.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<256xf32>, %{{.*}}: memref<*xf32>
// CHECK:         air.launch {{.*}} args(%{{.*}}=%[[P]], %{{.*}}) : memref<256xf32>, memref<*xf32>
// CHECK:         memref.reinterpret_cast %{{.*}} : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
func.func @blocks(%p: memref<*xf32>, %q: memref<*xf32>, %anywhere: index) {
  %c4 = arith.constant 4 : index
  air.launch (%i) in (%n = %c4) args(%a = %p, %b = %q, %o = %anywhere) : memref<*xf32>, memref<*xf32>, index {
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    %v = memref.reinterpret_cast %a to offset: [%at], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
    %w = memref.reinterpret_cast %b to offset: [%o], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %v, %w : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, strided<[1], offset: ?>>
  }
  return
}

// Rows of 10 in an array whose rows have 16: the last row need not be whole.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    memref<42xi8>
func.func @rows(%p: memref<*xi8>, %out: memref<3x10xi8>) {
  %v = memref.reinterpret_cast %p to offset: [0], sizes: [3, 10], strides: [16, 1] : memref<*xi8> to memref<3x10xi8, strided<[16, 1]>>
  memref.copy %v, %out : memref<3x10xi8, strided<[16, 1]>> to memref<3x10xi8>
  return
}
