// RUN: allo-opt %s --split-input-file --verify-diagnostics

func.func @lanes(%a: vector<16xi16>, %b: vector<32xi16>) {
  // expected-error@below {{'aievec.mul_elem' op takes a vector<32xi16>, and gives a vector<16xi32>; lanes must agree}}
  %0 = aievec.mul_elem %a, %b : vector<16xi16>, vector<32xi16>, vector<16xi32>
  return
}

// -----

func.func @bits(%a: vector<16xf32>) {
  // expected-error@below {{'aievec.band' op takes bits of a vector<16xf32>; expected integers}}
  %0 = aievec.band %a, %a : vector<16xf32>
  return
}

// -----

func.func @scalar(%a: i32) {
  // expected-error@below {{'aievec.add_elem' op gives a i32; expected a vector}}
  %0 = aievec.add_elem %a, %a : i32
  return
}

// -----

func.func @mode(%a: vector<16xi32>) {
  // expected-error@below {{'no_such_mode' is not a shuffle mode; allowed: t8_64x2_lo, t8_64x2_hi, }}
  %0 = aievec.shuffle %a [no_such_mode] : vector<16xi32>
  return
}

// -----

func.func @comparison(%a: vector<16xi32>, %b: vector<16xf32>, %w: vector<64xi8>) {
  // expected-error@below {{'aievec.cmp' op has predicate 'bogus'; allowed: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge}}
  %0 = aievec.cmp %a, %a {pred = "bogus"} : vector<16xi32>, vector<16xi32>, ui32
  // expected-error@below {{gives a i3 for 16 lanes; expected an integer of 32 or 64 bits, one for each lane}}
  %1 = aievec.cmp %a, %a {pred = "slt"} : vector<16xi32>, vector<16xi32>, i3
  // expected-error@below {{gives a ui32 for 64 lanes}}
  %2 = aievec.cmp %w, %w {pred = "ult"} : vector<64xi8>, vector<64xi8>, ui32
  // expected-error@below {{compares a vector<16xi32> with a vector<16xf32>; expected two vectors of one type}}
  %3 = aievec.cmp %a, %b {pred = "eq"} : vector<16xi32>, vector<16xf32>, ui32
  return
}

// -----

func.func @product(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x4xi32>, %d: vector<32xi8>) {
  // expected-error@below {{multiplies 4x8 by 8x8 into 4x4; expected MxK by KxN into MxN}}
  %0 = aievec.matmul %a, %b, %c : vector<4x8xi8>, vector<8x8xi8> into vector<4x4xi32>
  // expected-error@below {{multiplies a vector<32xi8> by a vector<8x8xi8> into a vector<4x4xi32>; expected vectors of two dimensions}}
  %1 = aievec.matmul %d, %b, %c : vector<32xi8>, vector<8x8xi8> into vector<4x4xi32>
  return
}
