// RUN: allo-opt %s --signed-contractions | filecheck %s

#a = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d2, d5, d3, d6, d8)>
#b = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1, d2, d4, d5, d8, d7)>
#c = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1, d0, d4, d3, d6, d7)>

// Loops of one trip around the product of micro-tiles.

// CHECK-LABEL: func.func @units
// CHECK:         vector.shape_cast %{{.*}} : vector<1x1x1x1x4x8xi8> to vector<4x8xi8>
// CHECK:         acc32.mac.conf
// CHECK:         vector.shape_cast %{{.*}} : vector<4x8xi32> to vector<1x1x1x1x4x8xi32>
func.func @units(%a: vector<1x1x1x1x4x8xi8>, %b: vector<1x1x1x1x8x8xi8>, %c: vector<1x1x1x1x4x8xi32>) -> vector<1x1x1x1x4x8xi32> {
  %x = arith.extsi %a : vector<1x1x1x1x4x8xi8> to vector<1x1x1x1x4x8xi32>
  %y = arith.extsi %b : vector<1x1x1x1x8x8xi8> to vector<1x1x1x1x8x8xi32>
  %r = vector.contract {indexing_maps = [#a, #b, #c], kind = #vector.kind<add>,
    iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
    %x, %y, %c : vector<1x1x1x1x4x8xi32>, vector<1x1x1x1x8x8xi32> into vector<1x1x1x1x4x8xi32>
  return %r : vector<1x1x1x1x4x8xi32>
}

// A loop of two trips is none of them.

// CHECK-LABEL: func.func @two
// CHECK:         vector.contract
func.func @two(%a: vector<1x1x1x2x4x8xi8>, %b: vector<1x1x1x1x8x8xi8>, %c: vector<1x1x1x2x4x8xi32>) -> vector<1x1x1x2x4x8xi32> {
  %x = arith.extsi %a : vector<1x1x1x2x4x8xi8> to vector<1x1x1x2x4x8xi32>
  %y = arith.extsi %b : vector<1x1x1x1x8x8xi8> to vector<1x1x1x1x8x8xi32>
  %r = vector.contract {indexing_maps = [#a, #b, #c], kind = #vector.kind<add>,
    iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
    %x, %y, %c : vector<1x1x1x2x4x8xi32>, vector<1x1x1x1x8x8xi32> into vector<1x1x1x2x4x8xi32>
  return %r : vector<1x1x1x2x4x8xi32>
}
