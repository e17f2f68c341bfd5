// RUN: cat %s | allo-opt - --approximate-math | filecheck %s

// A power that is finite, of negative numbers with a lower bound by their bits, and goes into a bf16: it is multiplied by the power
// of two. Without ninf, or with a bound below that of normal powers, the exponent is added, as it is to others.

// CHECK-LABEL: func.func private @short
// CHECK: vector.deinterleave
// CHECK-NOT: arith.addi
// CHECK-LABEL: func.func @infinite
// CHECK: arith.addi
// CHECK-LABEL: func.func @lower
// CHECK: arith.addi
func.func private @short(%x: vector<16xf32>) -> vector<16xbf16> {
  %least = arith.constant dense<-1003487232> : vector<16xi32> // -704.0
  %factor = arith.constant dense<0.125> : vector<16xf32>
  %bits = arith.bitcast %x : vector<16xf32> to vector<16xi32>
  %lesser = arith.minsi %bits, %least : vector<16xi32>
  %a = arith.bitcast %lesser : vector<16xi32> to vector<16xf32>
  %b = arith.mulf %a, %factor : vector<16xf32>
  %e = math.exp %b fastmath<ninf> : vector<16xf32>
  %r = arith.truncf %e : vector<16xf32> to vector<16xbf16>
  return %r : vector<16xbf16>
}

func.func @infinite(%x: vector<16xf32>) -> vector<16xbf16> {
  %least = arith.constant dense<-1028653056> : vector<16xi32> // -88.0
  %bits = arith.bitcast %x : vector<16xf32> to vector<16xi32>
  %lesser = arith.minsi %bits, %least : vector<16xi32>
  %a = arith.bitcast %lesser : vector<16xi32> to vector<16xf32>
  %e = math.exp %a : vector<16xf32>
  %r = arith.truncf %e : vector<16xf32> to vector<16xbf16>
  return %r : vector<16xbf16>
}

func.func @lower(%x: vector<16xf32>) -> vector<16xbf16> {
  %least = arith.constant dense<-1024458752> : vector<16xi32> // -120.0
  %bits = arith.bitcast %x : vector<16xf32> to vector<16xi32>
  %lesser = arith.minsi %bits, %least : vector<16xi32>
  %a = arith.bitcast %lesser : vector<16xi32> to vector<16xf32>
  %e = math.exp %a fastmath<ninf> : vector<16xf32>
  %r = arith.truncf %e : vector<16xf32> to vector<16xbf16>
  return %r : vector<16xbf16>
}
