// RUN: allo-opt %s --split-input-file --aie-check-core-code=refused=error 2>&1 | filecheck %s

// CHECK-NOT: {{(warning|error|remark): }}
// CHECK: aie.device
// CHECK-NOT: {{(warning|error|remark): }}

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
    %x = arith.extsi %a : vector<8x8xi8> to vector<8x8xi32>
    %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<8x8xi32>, vector<8x8xi32> into vector<8x8xi32>
    aie.end
  }
}

// -----

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
    %x = arith.extui %a : vector<8x2xi16> to vector<8x2xi32>
    %y = arith.extui %b : vector<2x8xi16> to vector<2x8xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<8x2xi32>, vector<2x8xi32> into vector<8x8xi32>
    aie.end
  }
}

// -----

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
    %a = ub.poison : vector<8x8xbf16>
    %b = ub.poison : vector<8x4xbf16>
    %s = ub.poison : vector<8x4xf32>
    %x = arith.extf %a : vector<8x8xbf16> to vector<8x8xf32>
    %y = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<8x8xf32>, vector<8x4xf32> into vector<8x4xf32>
    aie.end
  }
}

// -----

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
    %x = ub.poison : vector<64xi8>
    %r = arith.extsi %x : vector<64xi8> to vector<64xi32>
    aie.end
  }
}

// -----

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
    %x = ub.poison : vector<16xbf16>
    %r = math.tanh %x : vector<16xbf16>
    aie.end
  }
}
