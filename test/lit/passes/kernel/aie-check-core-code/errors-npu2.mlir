// RUN: not allo-opt %s --split-input-file --aie-check-core-code 2>&1 >/dev/null | filecheck %s

// CHECK: error: 'vector.contract' op multiplies unsigned A by unsigned B, and becomes a MAC of signed A by signed B; extend to i16
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %a = ub.poison : vector<8x8xi8>
    %b = ub.poison : vector<8x8xi8>
    %s = ub.poison : vector<8x8xi32>
    %x = arith.extui %a : vector<8x8xi8> to vector<8x8xi32>
    %y = arith.extui %b : vector<8x8xi8> to vector<8x8xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<8x8xi32>, vector<8x8xi32> into vector<8x8xi32>
    aie.end
  }
}

// -----

// CHECK: error: 'vector.contract' op multiplies signed A by signed B, and becomes a MAC of unsigned A by unsigned B
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %a = ub.poison : vector<8x2xi16>
    %b = ub.poison : vector<2x8xi16>
    %s = ub.poison : vector<8x8xi32>
    %x = arith.extsi %a : vector<8x2xi16> to vector<8x2xi32>
    %y = arith.extsi %b : vector<2x8xi16> to vector<2x8xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<8x2xi32>, vector<2x8xi32> into vector<8x8xi32>
    aie.end
  }
}
