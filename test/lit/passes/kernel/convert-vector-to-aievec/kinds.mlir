// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie2 target-backend=llvmir" | filecheck %s
// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie2p target-backend=llvmir" | filecheck %s --check-prefix=AIE2P

// A matrix product adds: the largest product of each element is none, and stays.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @largest
// CHECK: vector.contract
// CHECK-NOT: aievec.matmul
func.func @largest(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxsi>} %x, %y, %c : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}

// AIE2 multiplies unsigned bytes by signed ones; AIE2p's are signed.
// CHECK-LABEL: func.func @unsigned_by_signed
// CHECK: aievec.matmul
// AIE2P-LABEL: func.func @unsigned_by_signed
// AIE2P-NOT: aievec.matmul
// AIE2P: vector.contract
func.func @unsigned_by_signed(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %x = arith.extui %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}

// CHECK-LABEL: func.func @signed_by_unsigned
// CHECK-NOT: aievec.matmul
// CHECK: vector.contract
func.func @signed_by_unsigned(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extui %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}

// Minima and maxima of AIEVec are signed; unsigned ones stay.
// CHECK-LABEL: func.func @unsigned_extremum
// CHECK-NOT: aievec
// CHECK: vector.reduction <maxui>
func.func @unsigned_extremum(%a: vector<64xi8>) -> i8 {
  %r = vector.reduction <maxui>, %a : vector<64xi8> into i8
  return %r : i8
}

// Sizes that the core does not multiply stay.
// CHECK-LABEL: func.func @size
// CHECK-NOT: aievec.matmul
// AIE2P-LABEL: func.func @size
// AIE2P-NOT: aievec.matmul
func.func @size(%x: vector<4x4xi16>, %y: vector<4x8xi16>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %a = arith.extsi %x : vector<4x4xi16> to vector<4x4xi32>
  %b = arith.extsi %y : vector<4x8xi16> to vector<4x8xi32>
  %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x4xi32>, vector<4x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}
