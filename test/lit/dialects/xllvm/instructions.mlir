// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s

// Instructions that nothing declares are read as they are used: any operands, no result, one or several.

// CHECK-LABEL: llvm.func @parts
// CHECK: "xllvm.intr.aie2.I512.v16.acc32.srs"(%arg0, %arg1, %arg1) : (vector<8xi64>, i32, i32) -> vector<16xi32>
// CHECK: %[[MAX:.*]]:2 = "xllvm.intr.aie2.vmax.lt32"(
// CHECK: "xllvm.intr.aie2.ext.I256.I512"(%[[MAX]]#0, %[[MAX]]#1) : (vector<16xi32>, i32) -> vector<8xi32>
// CHECK: "xllvm.intr.aie2.ext.I256.I512"(
// CHECK: "xllvm.intr.aie2p.set.ctrl.reg"(%arg1, %arg1) : (i32, i32) -> ()
llvm.func @parts(%acc: vector<8xi64>, %s: i32) -> vector<8xi32> {
  %0 = "xllvm.intr.aie2.I512.v16.acc32.srs"(%acc, %s, %s) : (vector<8xi64>, i32, i32) -> vector<16xi32>
  %1:2 = "xllvm.intr.aie2.vmax.lt32"(%0, %0, %s) : (vector<16xi32>, vector<16xi32>, i32) -> (vector<16xi32>, i32)
  %2 = "xllvm.intr.aie2.ext.I256.I512"(%1#0, %1#1) : (vector<16xi32>, i32) -> vector<8xi32>
  %3 = "xllvm.intr.aie2.ext.I256.I512"(%0, %s) : (vector<16xi32>, i32) -> vector<8xi32>
  "xllvm.intr.aie2p.set.ctrl.reg"(%s, %s) : (i32, i32) -> ()
  llvm.return %2 : vector<8xi32>
}

// CHECK-LABEL: func.func @several_names
// CHECK: "xllvm.intr.aie2.vmin.ge32"
func.func @several_names(%a: vector<16xi32>, %s: i32) -> (vector<16xi32>, i32) {
  %m, %bits = "xllvm.intr.aie2.vmin.ge32"(%a, %a, %s) : (vector<16xi32>, vector<16xi32>, i32) -> (vector<16xi32>, i32)
  return %m, %bits : vector<16xi32>, i32
}
