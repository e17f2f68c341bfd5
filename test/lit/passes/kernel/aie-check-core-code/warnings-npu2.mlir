// RUN: allo-opt %s --split-input-file --aie-check-core-code 2>&1 >/dev/null | filecheck %s
// RUN: not allo-opt %s --split-input-file --aie-check-core-code=refused=error > /dev/null 2>&1

// CHECK: warning: 'arith.trunci' op saturates
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
    %x = ub.poison : vector<64xi32>
    %r = arith.trunci %x : vector<64xi32> to vector<64xi8>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.muli' op is refused
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
    %x = ub.poison : vector<16xi32>
    %y = ub.poison : vector<16xi32>
    %r = arith.muli %x, %y : vector<16xi32>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.mulf' op is refused
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
    %x = ub.poison : vector<16xf32>
    %y = ub.poison : vector<16xf32>
    %r = arith.mulf %x, %y : vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'math.rsqrt' op is refused
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
    %r = math.rsqrt %x : vector<16xbf16>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.transpose' op becomes an instruction of AIE2
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
    %x = ub.poison : vector<8x8xi8>
    %r = vector.transpose %x, [1, 0] : vector<8x8xi8> to vector<8x8xi8>
    aie.end
  }
}
