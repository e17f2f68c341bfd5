// GELU of a bf16, rounded to one, is a function of its own in whatever order it is multiplied: the greater one of x and 0, and |x|.
// What only looks like it is not.
// RUN: cat %s | allo-opt - --approximate-math | filecheck %s

// CHECK-LABEL: func.func @halved_first
// CHECK-COUNT-2: arith.maximumf {{.*}}bf16
// CHECK: return
func.func @halved_first(%b: vector<16xbf16>) -> vector<16xbf16> {
  %half = arith.constant dense<0.5> : vector<16xf32>
  %one = arith.constant dense<1.0> : vector<16xf32>
  %root = arith.constant dense<0.707106769> : vector<16xf32>
  %x = arith.extf %b : vector<16xbf16> to vector<16xf32>
  %u = arith.mulf %x, %root : vector<16xf32>
  %e = math.erf %u : vector<16xf32>
  %d = arith.addf %e, %one : vector<16xf32>
  %h = arith.mulf %x, %half : vector<16xf32>
  %v = arith.mulf %h, %d : vector<16xf32>
  %y = arith.truncf %v : vector<16xf32> to vector<16xbf16>
  return %y : vector<16xbf16>
}

// CHECK-LABEL: func.func @halved_last
// CHECK-COUNT-2: arith.maximumf {{.*}}bf16
// CHECK: return
func.func @halved_last(%b: vector<16xbf16>) -> vector<16xbf16> {
  %half = arith.constant dense<0.5> : vector<16xf32>
  %one = arith.constant dense<1.0> : vector<16xf32>
  %root = arith.constant dense<0.707106769> : vector<16xf32>
  %x = arith.extf %b : vector<16xbf16> to vector<16xf32>
  %u = arith.mulf %x, %root : vector<16xf32>
  %e = math.erf %u : vector<16xf32>
  %d = arith.addf %one, %e : vector<16xf32>
  %h = arith.mulf %d, %half : vector<16xf32>
  %v = arith.mulf %h, %x : vector<16xf32>
  %y = arith.truncf %v : vector<16xf32> to vector<16xbf16>
  return %y : vector<16xbf16>
}

// CHECK-LABEL: func.func @another_root
// CHECK-NOT: arith.maximumf
// CHECK: arith.select
// CHECK: return
func.func @another_root(%b: vector<16xbf16>) -> vector<16xbf16> {
  %half = arith.constant dense<0.5> : vector<16xf32>
  %one = arith.constant dense<1.0> : vector<16xf32>
  %root = arith.constant dense<0.75> : vector<16xf32>
  %x = arith.extf %b : vector<16xbf16> to vector<16xf32>
  %u = arith.mulf %x, %root : vector<16xf32>
  %e = math.erf %u : vector<16xf32>
  %d = arith.addf %e, %one : vector<16xf32>
  %h = arith.mulf %x, %half : vector<16xf32>
  %v = arith.mulf %h, %d : vector<16xf32>
  %y = arith.truncf %v : vector<16xf32> to vector<16xbf16>
  return %y : vector<16xbf16>
}
