// RUN: air-opt %s -air-par-to-herd | FileCheck %s
// RUN: not air-opt %s -air-no-such-pass 2>&1 | FileCheck %s --check-prefix=ERR
// RUN: air-opt %s | grep scf.parallel | count 1
// CHECK-LABEL: func.func @f
// CHECK: air.herd
// ERR: air-no-such-pass
func.func @f(%a: memref<64xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    %v = arith.constant 1 : i32
    memref.store %v, %a[%i] : memref<64xi32, 2>
    scf.reduce
  }
  return
}
