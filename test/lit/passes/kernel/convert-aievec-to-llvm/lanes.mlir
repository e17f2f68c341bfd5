// RUN: allo-opt %s --convert-aievec-to-llvm | filecheck %s
// RUN: not allo-opt %s --convert-aievec-to-llvm=strict=true 2>&1 | filecheck %s --check-prefix=ERROR

// ERROR: lanes.mlir:[[#]]:8: error: 'aievec.mul_elem' op on vector<16xi32>, vector<16xi32>, vector<16xi64> is not lowered to instructions of AIE2; supported are ext, concat,

// CHECK-LABEL: func.func @conversions
// CHECK: "xllvm.intr.aie2.acc32.v32.I256.ups"(%arg0, %{{.*}}, %{{.*}}) : (vector<32xi8>, i32, i32) -> vector<16xi64>
// CHECK: "xllvm.intr.aie2.I512.v32.acc32.srs"(%{{.*}}, %arg2, %{{.*}}) : (vector<16xi64>, i32, i32) -> vector<32xi16>
// CHECK: "xllvm.intr.aie2.v16bf16.to.v16accfloat"(%arg1) : (vector<16xbf16>) -> vector<8xi64>
// CHECK: "xllvm.intr.aie2.add.accfloat"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<8xi64>, vector<8xi64>, i32) -> vector<8xi64>
// CHECK: "xllvm.intr.aie2.v16accfloat.to.v16bf16"(%{{.*}}) : (vector<8xi64>) -> vector<16xbf16>
func.func @conversions(%a: vector<32xi8>, %b: vector<16xbf16>, %s: i32) -> (vector<32xi16>, vector<16xbf16>) {
  %0 = aievec.ups %a {shift = 0 : i8} : vector<32xi8>, vector<32xi32>
  %1 = aievec.srs %0, %s : vector<32xi32>, i32, vector<32xi16>
  %2 = aievec.ups %b {shift = 0 : i8} : vector<16xbf16>, vector<16xf32>
  %3 = aievec.add_elem %2, %2 : vector<16xf32>
  %4 = aievec.srs %3, %s : vector<16xf32>, i32, vector<16xbf16>
  return %1, %4 : vector<32xi16>, vector<16xbf16>
}

// CHECK-LABEL: func.func @one_and_all
// CHECK: %[[WIDE:.*]] = llvm.sext %arg0 : i8 to i32
// CHECK: %[[ALL:.*]] = "xllvm.intr.aie2.vbroadcast8.I512"(%[[WIDE]]) : (i32) -> vector<64xi8>
// CHECK: %[[MAX:.*]] = "xllvm.intr.aie2.vmax.lt8"(%[[ALL]], %[[ALL]], %{{.*}}) : (vector<64xi8>, vector<64xi8>, i32) -> !llvm.struct<(vector<64xi8>, vector<2xi32>)>
// CHECK: %[[FIRST:.*]] = llvm.extractvalue %[[MAX]][0]
// CHECK: %[[LANE:.*]] = "xllvm.intr.aie2.vextract.elem8.I512"(%[[FIRST]], %arg1, %{{.*}}) : (vector<64xi8>, i32, i32) -> i32
// CHECK: llvm.trunc %[[LANE]] : i32 to i8
// CHECK: "xllvm.intr.aie2.vbroadcastfloat.I512"(%arg2) : (f32) -> vector<16xf32>
func.func @one_and_all(%v: i8, %i: i32, %f: f32) -> (i8, vector<16xf32>) {
  %0 = aievec.broadcast_scalar %v : i8, vector<64xi8>
  %1 = aievec.max %0, %0 : vector<64xi8>
  %2 = aievec.ext_elem %1, %i : vector<64xi8>, i32, i8
  %3 = aievec.broadcast_scalar %f : f32, vector<16xf32>
  return %2, %3 : i8, vector<16xf32>
}

// Products of lanes: 808 for i8 beside zeros, 824 for i16, 60 for bf16 beside zeros.
// CHECK-LABEL: func.func @products
// CHECK: "xllvm.intr.aie2.concat.I512.I256"
// CHECK: llvm.mlir.constant(808 : i32)
// CHECK: "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mul.conf"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<64xi8>, vector<16xi32>, i32) -> vector<16xi64>
// CHECK: llvm.mlir.constant(824 : i32)
// CHECK: llvm.mlir.constant(60 : i32)
// CHECK: "xllvm.intr.aie2.bf.mac16.conf"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (vector<32xbf16>, vector<32xbf16>, vector<8xi64>, i32) -> vector<8xi64>
func.func @products(%a: vector<32xi8>, %b: vector<32xi16>, %c: vector<16xbf16>, %d: vector<16xf32>) -> (vector<32xi32>, vector<32xi32>, vector<16xf32>) {
  %0 = aievec.mul_elem %a, %a : vector<32xi8>, vector<32xi8>, vector<32xi32>
  %1 = aievec.mul_elem %b, %b : vector<32xi16>, vector<32xi16>, vector<32xi32>
  %2 = aievec.mac_elem %c, %c, %d : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
  return %0, %1, %2 : vector<32xi32>, vector<32xi32>, vector<16xf32>
}

// Other products stay, and so do vectors that are not a register.
// CHECK-LABEL: func.func @rest
// CHECK: aievec.mul_elem
// CHECK: aievec.ext
func.func @rest(%a: vector<16xi32>, %b: vector<16xi8>) -> (vector<16xi64>, vector<8xi8>) {
  %0 = aievec.mul_elem %a, %a : vector<16xi32>, vector<16xi32>, vector<16xi64>
  %1 = aievec.ext %b {index = 0 : i8} : vector<16xi8>, vector<8xi8>
  return %0, %1 : vector<16xi64>, vector<8xi8>
}
