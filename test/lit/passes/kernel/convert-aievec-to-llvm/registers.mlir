// RUN: allo-opt %s --convert-aievec-to-llvm | filecheck %s
// RUN: allo-opt %s --convert-aievec-to-llvm | allo-opt | filecheck %s
// RUN: allo-opt %s --convert-aievec-to-llvm=aie-target=aie2p | filecheck %s --check-prefix=AIE2P

// Parts: the number of the part, then the bits as words, and back.
// CHECK-LABEL: func.func @part
// CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: %[[IN:.*]] = llvm.bitcast %arg0 : vector<64xi8> to vector<16xi32>
// CHECK-NEXT: %[[OUT:.*]] = "xllvm.intr.aie2.ext.I256.I512"(%[[IN]], %[[ONE]]) : (vector<16xi32>, i32) -> vector<8xi32>
// CHECK-NEXT: llvm.bitcast %[[OUT]] : vector<8xi32> to vector<32xi8>
// AIE2P-LABEL: func.func @part
// AIE2P: aievec.ext
func.func @part(%v: vector<64xi8>) -> vector<32xi8> {
  %0 = aievec.ext %v {index = 1 : i8} : vector<64xi8>, vector<32xi8>
  return %0 : vector<32xi8>
}

// Words need no conversion.
// CHECK-LABEL: func.func @words
// CHECK-NEXT: %[[W:.*]] = "xllvm.intr.aie2.concat.I512.I256"(%arg0, %arg0) : (vector<8xi32>, vector<8xi32>) -> vector<16xi32>
// CHECK-NEXT: %[[TWO:.*]] = "xllvm.intr.aie2.concat.I1024.I512"(%[[W]], %[[W]])
// CHECK-NEXT: llvm.mlir.constant(0 : i32)
// CHECK-NEXT: "xllvm.intr.aie2.ext.I512.I1024"(%[[TWO]], %{{.*}}) : (vector<32xi32>, i32) -> vector<16xi32>
func.func @words(%v: vector<8xi32>) -> vector<16xi32> {
  %0 = aievec.concat %v, %v : vector<8xi32>, vector<16xi32>
  %1 = aievec.concat %0, %0 : vector<16xi32>, vector<32xi32>
  %2 = aievec.ext %1 {index = 0 : i8} : vector<32xi32>, vector<16xi32>
  return %2 : vector<16xi32>
}

// CHECK-LABEL: func.func @order
// CHECK: "xllvm.intr.aie2.vshift.I512.I512"(%{{.*}}, %{{.*}}, %{{.*}}, %arg2) : (vector<16xi32>, vector<16xi32>, i32, i32) -> vector<16xi32>
// CHECK: "xllvm.intr.aie2.vshift.bf512.bf512"(%arg1, %arg1, %{{.*}}, %arg2) : (vector<32xbf16>, vector<32xbf16>, i32, i32) -> vector<32xbf16>
// CHECK: %[[MODE:.*]] = llvm.mlir.constant(34 : i32)
// CHECK: "xllvm.intr.aie2.vshuffle"(%arg0, %arg0, %[[MODE]]) : (vector<16xi32>, vector<16xi32>, i32) -> vector<16xi32>
func.func @order(%a: vector<16xi32>, %b: vector<32xbf16>, %s: i32) -> (vector<16xi32>, vector<32xbf16>, vector<16xi32>) {
  %0 = aievec.shift %a, %a, %s {isAcc = false} : vector<16xi32>, vector<16xi32>, i32, vector<16xi32>
  %1 = aievec.shift %b, %b, %s {isAcc = false} : vector<32xbf16>, vector<32xbf16>, i32, vector<32xbf16>
  %2 = aievec.shuffle %a, %a [t32_4x4] : vector<16xi32>
  return %0, %1, %2 : vector<16xi32>, vector<32xbf16>, vector<16xi32>
}
