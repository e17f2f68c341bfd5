// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// XLLVM: instructions of the processor, in the generic form only.

// CHECK: func.func @mac
// CHECK: "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"(%arg0, %arg1, %arg2, %c776_i32) : (vector<64xi8>, vector<16xi32>, vector<16xi64>, i32) -> vector<16xi64>
// GENERIC: "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"
func.func @mac(%a: vector<64xi8>, %b: vector<16xi32>, %c: vector<16xi64>) -> vector<16xi64> {
  %conf = arith.constant 776 : i32
  %r = "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"(%a, %b, %c, %conf) : (vector<64xi8>, vector<16xi32>, vector<16xi64>, i32) -> vector<16xi64>
  return %r : vector<16xi64>
}
