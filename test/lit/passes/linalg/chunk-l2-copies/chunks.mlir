// RUN: allo-opt %s --allow-unregistered-dialect --chunk-l2-copies=elements=128 | filecheck %s
// RUN: allo-opt %s --allow-unregistered-dialect --chunk-l2-copies=elements=128 --chunk-l2-copies=elements=128 | filecheck %s

// The cores walk dimension 1 in steps of 64, so the copy goes in two steps' pieces.
// CHECK-LABEL: func.func @walked
// CHECK:         %[[L2:.*]] = memref.alloc() : memref<64x512xbf16, 1>
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c1{{.*}} {
// CHECK:           %[[C:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK:           %[[S:.*]] = memref.subview %arg0[0, %[[C]]] [64, 128] [1, 1]
// CHECK:           %[[D:.*]] = memref.subview %[[L2]][0, %[[C]]] [64, 128] [1, 1]
// CHECK:           memref.copy %[[S]], %[[D]]
// CHECK:         memref.subview %[[L2]][0, %{{.*}}] [64, 64] [1, 1]
func.func @walked(%a: memref<64x512xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %l2 = memref.alloc() : memref<64x512xbf16, 1>
  memref.copy %a, %l2 : memref<64x512xbf16> to memref<64x512xbf16, 1>
  scf.for %k = %c0 to %c8 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 64)>(%k)
    %v = memref.subview %l2[0, %o] [64, 64] [1, 1] : memref<64x512xbf16, 1> to memref<64x64xbf16, strided<[512, 1], offset: ?>, 1>
    "test.use"(%v) : (memref<64x64xbf16, strided<[512, 1], offset: ?>, 1>) -> ()
  }
  return
}

// No loop walks the buffer, no piece divides the dimension, or the buffer is not in L2: the copy stays.
// CHECK-LABEL: func.func @stays
// CHECK-NOT:     scf.for %{{.*}} {{.*}}128
// CHECK:         memref.copy %arg0, %{{.*}} : memref<64x96xbf16> to memref<64x96xbf16, 1>
// CHECK:         memref.copy %arg0, %{{.*}} : memref<64x96xbf16> to memref<64x96xbf16, 2>
func.func @stays(%a: memref<64x96xbf16>) {
  %l2 = memref.alloc() : memref<64x96xbf16, 1>
  memref.copy %a, %l2 : memref<64x96xbf16> to memref<64x96xbf16, 1>
  %l1 = memref.alloc() : memref<64x96xbf16, 2>
  memref.copy %a, %l1 : memref<64x96xbf16> to memref<64x96xbf16, 2>
  return
}

// Two loops walk the buffer, one after another: the copy stays.
// CHECK-LABEL: func.func @again
// CHECK:         memref.copy %arg0, %{{.*}} : memref<64x512xbf16> to memref<64x512xbf16, 1>
func.func @again(%a: memref<64x512xbf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %l2 = memref.alloc() : memref<64x512xbf16, 1>
  memref.copy %a, %l2 : memref<64x512xbf16> to memref<64x512xbf16, 1>
  scf.for %k = %c0 to %c512 step %c64 {
    %v = memref.subview %l2[0, %k] [64, 64] [1, 1] : memref<64x512xbf16, 1> to memref<64x64xbf16, strided<[512, 1], offset: ?>, 1>
    "test.use"(%v) : (memref<64x64xbf16, strided<[512, 1], offset: ?>, 1>) -> ()
  }
  scf.for %k = %c0 to %c512 step %c64 {
    %v = memref.subview %l2[0, %k] [64, 64] [1, 1] : memref<64x512xbf16, 1> to memref<64x64xbf16, strided<[512, 1], offset: ?>, 1>
    "test.use"(%v) : (memref<64x64xbf16, strided<[512, 1], offset: ?>, 1>) -> ()
  }
  return
}
