// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie2 target-backend=llvmir" | filecheck %s
// RUN: not allo-opt %s --convert-vector-to-aievec="aie-target=aie3" 2>&1 | filecheck %s --check-prefix=ERROR

// ERROR: option 'aie-target' is 'aie3'

// Vectors that are not a register stay, and so do scalars and vectors of several dimensions.
// CHECK-LABEL: func.func @others
// CHECK-NOT: aievec
// CHECK: return
func.func @others(%a: vector<8xf32>, %b: vector<64xbf16>, %c: vector<4x8xbf16>, %d: vector<16xi8>, %s: f32) -> f32 {
  %0 = arith.addf %a, %a : vector<8xf32>
  %1 = arith.mulf %b, %b : vector<64xbf16>
  %2 = arith.mulf %c, %c : vector<4x8xbf16>
  %3 = arith.muli %d, %d : vector<16xi8>
  %4 = arith.addf %s, %s : f32
  %5 = arith.maximumf %a, %a : vector<8xf32>
  %6 = arith.cmpf ogt, %a, %a : vector<8xf32>
  %7 = arith.select %6, %a, %a : vector<8xi1>, vector<8xf32>
  %8 = vector.reduction <mul>, %a : vector<8xf32> into f32
  %9 = math.exp %b : vector<64xbf16>
  %10 = arith.divf %s, %s : f32
  %11 = arith.trunci %d : vector<16xi8> to vector<16xi4>
  return %4 : f32
}

// A shift by different amounts stays in front of what makes its lanes narrower.
// CHECK-LABEL: func.func @shifts
// CHECK: arith.shrsi
// CHECK: aievec.srs %{{.*}}, %{{.*}} : vector<32xi32>, i32, vector<32xi8>
func.func @shifts(%a: vector<32xi32>, %b: vector<32xi32>) -> vector<32xi8> {
  %0 = arith.shrsi %a, %b : vector<32xi32>
  %1 = arith.trunci %0 : vector<32xi32> to vector<32xi8>
  return %1 : vector<32xi8>
}
