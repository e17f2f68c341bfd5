// RUN: allo-opt %s --canonicalize | filecheck %s

// An acquire of 0 waits for nothing.
// CHECK-NOT: AcquireGreaterEqual, %c0
// CHECK: aie.use_lock(%l, AcquireGreaterEqual, %c1
// CHECK-NEXT: aie.use_lock(%l, Release, %c0
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0) {init = 1 : i32, sym_name = "l"}
  aie.core(%t) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    aie.use_lock(%l, AcquireGreaterEqual, %c0)
    aie.use_lock(%l, AcquireGreaterEqual, %c1)
    aie.use_lock(%l, Release, %c0)
    aie.end
  }
}

// Conversions that undo one another go. What became narrower stays so, unless it was as narrow before.
// CHECK-LABEL: func.func @conversions
// CHECK-NEXT: arith.constant 0
// CHECK-NEXT: %[[UP:.*]] = aievec.ups %arg1
// CHECK-NEXT: %[[DOWN:.*]] = aievec.srs %arg2
// CHECK-NEXT: %[[AGAIN:.*]] = aievec.ups %[[DOWN]]
// CHECK-NEXT: return %arg0, %[[UP]], %[[AGAIN]], %arg1
func.func @conversions(%a: vector<16xi32>, %b: vector<16xbf16>, %c: vector<16xf32>)
    -> (vector<16xi32>, vector<16xf32>, vector<16xf32>, vector<16xbf16>) {
  %c0 = arith.constant 0 : i32
  %0 = aievec.cast %a {isResAcc = true} : vector<16xi32>, vector<16xi32>
  %1 = aievec.cast %0 {isResAcc = false} : vector<16xi32>, vector<16xi32>
  %2 = aievec.ups %b {shift = 0 : i8} : vector<16xbf16>, vector<16xf32>
  %3 = aievec.srs %2, %c0 : vector<16xf32>, i32, vector<16xbf16>
  %4 = aievec.ups %3 {shift = 0 : i8} : vector<16xbf16>, vector<16xf32>
  %5 = aievec.srs %c, %c0 : vector<16xf32>, i32, vector<16xbf16>
  %6 = aievec.ups %5 {shift = 0 : i8} : vector<16xbf16>, vector<16xf32>
  return %1, %4, %6, %3 : vector<16xi32>, vector<16xf32>, vector<16xf32>, vector<16xbf16>
}

// What became narrower than it had been has lost bits.
// CHECK-LABEL: func.func @lost_bits
// CHECK: %[[WIDE:.*]] = aievec.ups %arg0
// CHECK: %[[BYTES:.*]] = aievec.srs %[[WIDE]]
// CHECK: %[[AGAIN:.*]] = aievec.ups %[[BYTES]]
// CHECK: return %[[AGAIN]]
func.func @lost_bits(%a: vector<32xi16>) -> vector<32xi32> {
  %c0 = arith.constant 0 : i32
  %0 = aievec.ups %a {shift = 0 : i8} : vector<32xi16>, vector<32xi32>
  %1 = aievec.srs %0, %c0 : vector<32xi32>, i32, vector<32xi8>
  %2 = aievec.ups %1 {shift = 0 : i8} : vector<32xi8>, vector<32xi32>
  return %2 : vector<32xi32>
}
