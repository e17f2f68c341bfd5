// A kernel takes the global that its loop uses, also if it is the only one.
// RUN: allo-opt %s --outline-tiled-loops | filecheck %s

// CHECK:       func.func private @[[K:.*]](%arg0: memref<64xf32>, %arg1: memref<64xf32>) attributes {allo.kernel
// CHECK:         scf.parallel
// CHECK-LABEL: func.func @f(%arg0: memref<64xf32>)
// CHECK-NEXT:    [[W:%.*]] = memref.get_global @w
// CHECK:         call @[[K]]([[W]], %arg0)
memref.global "private" constant @w : memref<64xf32> = dense<1.0>
func.func @f(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c4) {
    %w = memref.get_global @w : memref<64xf32>
    %x = memref.load %w[%i] : memref<64xf32>
    memref.store %x, %a[%i] : memref<64xf32>
  }
  return
}
