// RUN: allo-opt %s --vectorize-generics | filecheck %s

// A copy within a core's memory is vectors; one from elsewhere stays, for a DMA.

// CHECK-LABEL: func.func @copies
// CHECK: scf.for
// CHECK: vector.transfer_read %arg0{{.*}} vector<16xf32>
// CHECK: vector.transfer_write
// CHECK: memref.copy %arg2, %arg0
func.func @copies(%a: memref<64xf32, 2>, %b: memref<64xf32, 2>, %c: memref<64xf32, 1>) {
  memref.copy %a, %b : memref<64xf32, 2> to memref<64xf32, 2>
  memref.copy %c, %a : memref<64xf32, 1> to memref<64xf32, 2>
  return
}
