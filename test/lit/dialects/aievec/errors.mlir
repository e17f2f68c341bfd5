// RUN: allo-opt %s --split-input-file --verify-diagnostics

func.func @lanes(%a: vector<16xi16>, %b: vector<32xi16>) {
  // expected-error@below {{'aievec.mul_elem' op takes a vector<32xi16>, and gives a vector<16xi32>; lanes must agree}}
  %0 = aievec.mul_elem %a, %b : vector<16xi16>, vector<32xi16>, vector<16xi32>
  return
}

// -----

func.func @bits(%a: vector<16xf32>) {
  // expected-error@below {{'aievec.band' op takes bits of a vector<16xf32>; wanted integers}}
  %0 = aievec.band %a, %a : vector<16xf32>
  return
}

// -----

func.func @scalar(%a: i32) {
  // expected-error@below {{'aievec.add_elem' op gives a i32; wanted a vector}}
  %0 = aievec.add_elem %a, %a : i32
  return
}
