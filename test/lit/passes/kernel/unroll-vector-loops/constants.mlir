// RUN: allo-opt %s --unroll-vector-loops | filecheck %s

// A loop whose body has only a constant needs no instruction for it.
// CHECK-LABEL: func.func @f
// CHECK: scf.for
// CHECK: return
func.func @f(%m: memref<64xf32, 2>, %x: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> (vector<16xf32>) {
    %z = arith.constant dense<0.0> : vector<16xf32>
    scf.yield %z : vector<16xf32>
  }
  return %r : vector<16xf32>
}
