// RUN: allo-opt %s --convert-aievec-to-llvm | filecheck %s

// CHECK-LABEL: func.func @floats
// CHECK-NEXT: %[[A:.*]] = vector.shape_cast %arg0 : vector<4x8xbf16> to vector<32xbf16>
// CHECK-NEXT: %[[B:.*]] = vector.shape_cast %arg1 : vector<8x4xbf16> to vector<32xbf16>
// CHECK-NEXT: %[[C:.*]] = vector.shape_cast %arg2 : vector<4x4xf32> to vector<16xf32>
// CHECK-NEXT: %[[CONF:.*]] = llvm.mlir.constant(28 : i32) : i32
// CHECK-NEXT: %[[ACC:.*]] = llvm.bitcast %[[C]] : vector<16xf32> to vector<8xi64>
// CHECK-NEXT: %[[MAC:.*]] = "xllvm.intr.aie2.bf.mac16.conf"(%[[A]], %[[B]], %[[ACC]], %[[CONF]]) : (vector<32xbf16>, vector<32xbf16>, vector<8xi64>, i32) -> vector<8xi64>
// CHECK-NEXT: %[[R:.*]] = llvm.bitcast %[[MAC]] : vector<8xi64> to vector<16xf32>
// CHECK-NEXT: vector.shape_cast %[[R]] : vector<16xf32> to vector<4x4xf32>
func.func @floats(%a: vector<4x8xbf16>, %b: vector<8x4xbf16>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = aievec.matmul %a, %b, %c : vector<4x8xbf16>, vector<8x4xbf16> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// CHECK-LABEL: func.func @integers
// CHECK: "xllvm.intr.aie2.set.I512.I256"(%{{.*}}, %{{.*}}) : (vector<8xi32>, i32) -> vector<16xi32>
// CHECK: llvm.mlir.constant(264 : i32)
// CHECK: "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"(%{{.*}}) : (vector<64xi8>, vector<16xi32>, vector<16xi64>, i32) -> vector<16xi64>
// CHECK: aievec.matmul %arg0, %arg3
func.func @integers(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>, %d: vector<8x4xi8>, %e: vector<4x4xi32>) -> (vector<4x8xi32>, vector<4x4xi32>) {
  %0 = aievec.matmul %a, %b, %c : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
  %1 = aievec.matmul %a, %d, %e : vector<4x8xi8>, vector<8x4xi8> into vector<4x4xi32>
  return %0, %1 : vector<4x8xi32>, vector<4x4xi32>
}

// Words of products: 280 for i16 into 32 bits, 282 into 64.
// CHECK-LABEL: func.func @shorts
// CHECK: "xllvm.intr.aie2.set.I512.I128"
// CHECK: llvm.mlir.constant(280 : i32)
// CHECK: "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"
// CHECK: llvm.mlir.constant(282 : i32)
// CHECK: "xllvm.intr.aie2.I512.I512.ACC1024.acc64.mac.conf"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (vector<64xi8>, vector<16xi32>, vector<16xi64>, i32) -> vector<16xi64>
func.func @shorts(%a: vector<4x2xi16>, %b: vector<2x8xi16>, %c: vector<4x8xi32>, %x: vector<4x4xi16>, %d: vector<4x4xi64>) -> (vector<4x8xi32>, vector<4x4xi64>) {
  %0 = aievec.matmul %a, %b, %c : vector<4x2xi16>, vector<2x8xi16> into vector<4x8xi32>
  %1 = aievec.matmul %x, %x, %d : vector<4x4xi16>, vector<4x4xi16> into vector<4x4xi64>
  return %0, %1 : vector<4x8xi32>, vector<4x4xi64>
}
