// Arithmetic on vectors of several dimensions works on one; contractions keep their matrices.
// RUN: allo-opt %s --legalize-arithmetic | filecheck %s

// CHECK-LABEL: func.func @add(
// CHECK:         vector.shape_cast %arg0 : vector<2x16xi32> to vector<32xi32>
// CHECK-NOT:     vector<2x16xi32> to vector<2x16xi32>
// CHECK:         vector.shape_cast {{.*}} : vector<32xi32> to vector<2x16xi32>
func.func @add(%x: vector<2x16xi32>, %y: vector<2x16xi32>) -> vector<2x16xi32> {
  %s = arith.addi %x, %y : vector<2x16xi32>
  return %s : vector<2x16xi32>
}

// CHECK-LABEL: func.func @product(
// CHECK-NOT:     shape_cast
// CHECK:         vector.contract
func.func @product(%x: vector<4x8xf32>, %y: vector<8x4xf32>, %z: vector<4x4xf32>) -> vector<4x4xf32> {
  %e = arith.truncf %x : vector<4x8xf32> to vector<4x8xbf16>
  %f = arith.truncf %y : vector<8x4xf32> to vector<8x4xbf16>
  %c = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} %e, %f, %z
      : vector<4x8xbf16>, vector<8x4xbf16> into vector<4x4xf32>
  return %c : vector<4x4xf32>
}
