// RUN: allo-opt %s --legalize-arithmetic=device=npu2 --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --legalize-arithmetic=device=npu1 --canonicalize --cse | filecheck %s

// A fused product takes extensions of bf16: constants stay such, also when constants are folded afterwards, and a constant of
// more bits becomes several.

// CHECK-LABEL: func.func @exact
// CHECK: %[[NINE:.*]] = arith.constant dense<9.000000e+00> : vector<8xbf16>
// CHECK-DAG: %[[X:.*]] = arith.extf %arg0 : vector<16xbf16> to vector<16xf32>
// CHECK-DAG: %[[BRIEF:.*]] = vector.interleave %[[NINE]], %[[NINE]]
// CHECK-DAG: %[[C:.*]] = arith.extf %[[BRIEF]] : vector<16xbf16> to vector<16xf32>
// CHECK: vector.fma %[[C]], %[[X]], %arg1 : vector<16xf32>
func.func @exact(%x: vector<16xbf16>, %a: vector<16xf32>) -> vector<16xf32> {
  %c = arith.constant dense<9.0> : vector<16xf32>
  %e = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %r = vector.fma %c, %e, %a : vector<16xf32>
  return %r : vector<16xf32>
}

// CHECK-LABEL: func.func @more_bits
// CHECK-COUNT-3: vector.interleave
// CHECK-NOT: vector.fma %cst
// CHECK: arith.addf
func.func @more_bits(%x: vector<16xbf16>, %a: vector<16xf32>) -> vector<16xf32> {
  %c = arith.constant dense<1.00044239> : vector<16xf32>
  %e = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %r = vector.fma %c, %e, %a : vector<16xf32>
  return %r : vector<16xf32>
}

// What is fused already stays.
// CHECK-LABEL: func.func @both
// CHECK-NEXT: %[[X:.*]] = arith.extf
// CHECK-NEXT: %[[R:.*]] = vector.fma %[[X]], %[[X]], %arg1
// CHECK-NEXT: return %[[R]]
func.func @both(%x: vector<16xbf16>, %a: vector<16xf32>) -> vector<16xf32> {
  %e = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %r = vector.fma %e, %e, %a : vector<16xf32>
  return %r : vector<16xf32>
}
