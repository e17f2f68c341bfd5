// RUN: allo-opt %s --air-to-aie='row-offset=2 col-offset=0 device=npu1 logical-tiles=false' | filecheck %s

// A poison value is a constant: it stands among those that the core begins with, in their order.

// CHECK: aie.core
// CHECK-NEXT: arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK-NEXT: ub.poison : f32
// CHECK-NEXT: arith.constant 4 : index
// CHECK-NEXT: arith.constant 2 : index
// CHECK-NEXT: arith.constant 0 : index
func.func @f() {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %b = memref.alloc() : memref<16xf32, 2>
    scf.for %i = %c0 to %c4 step %c2 {
      %p = ub.poison : f32
      %zero = arith.constant dense<0.0> : vector<2xf32>
      vector.transfer_write %zero, %b[%i] {in_bounds = [true]} : vector<2xf32>, memref<16xf32, 2>
      %v = vector.transfer_read %b[%i], %p {in_bounds = [true]} : memref<16xf32, 2>, vector<2xf32>
      vector.transfer_write %v, %b[%i] {in_bounds = [true]} : vector<2xf32>, memref<16xf32, 2>
    }
    memref.dealloc %b : memref<16xf32, 2>
  }
  return
}
