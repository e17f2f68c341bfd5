// RUN: allo-opt %s --approximate-math --canonicalize | filecheck %s

// CHECK-NOT: math.

// CHECK-LABEL: func.func @nearest
func.func @nearest(%x: f32) -> f32 {
  // CHECK-DAG: %[[M:.*]] = arith.constant 0x4B000000 : f32
  // CHECK:     %[[A:.*]] = arith.addf %[[S:.*]], %[[M]] : f32
  // CHECK:     arith.subf %[[A]], %[[M]] : f32
  %r = math.roundeven %x : f32
  return %r : f32
}

// A bf16 is extended before and rounded after.
// CHECK-LABEL: func.func @brief
func.func @brief(%x: vector<16xbf16>) -> vector<16xbf16> {
  // CHECK: arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
  // CHECK: return %{{.*}} : vector<16xbf16>
  %r = math.exp %x : vector<16xbf16>
  return %r : vector<16xbf16>
}

// Constant exponents are multiplications.
// CHECK-LABEL: func.func @cube
func.func @cube(%x: f32) -> f32 {
  // CHECK: %[[S:.*]] = arith.mulf %[[X:.*]], %[[X]] : f32
  // CHECK: %[[R:.*]] = arith.mulf %[[X]], %[[S]] : f32
  // CHECK: return %[[R]]
  %three = arith.constant 3.0 : f32
  %r = math.powf %x, %three : f32
  return %r : f32
}

// Vectors are divided by way of a reciprocal; for scalars there is a function.
// CHECK-LABEL: func.func @divided
func.func @divided(%x: vector<16xf32>, %y: f32) -> (vector<16xf32>, f32) {
  // CHECK-COUNT-1: arith.divf
  // CHECK-NOT: arith.divf
  %q = arith.divf %x, %x : vector<16xf32>
  %r = arith.divf %y, %y : f32
  return %q, %r : vector<16xf32>, f32
}

// CHECK-LABEL: func.func @others
func.func @others(%x: f32, %y: f32, %n: i32) -> (f32, f32, f32, f32, f32) {
  %a = math.tanh %x : f32
  %b = math.erf %a : f32
  %c = math.powf %b, %y : f32
  %d = math.fpowi %c, %n : f32, i32
  %e = math.atan2 %d, %y : f32
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f32
}
