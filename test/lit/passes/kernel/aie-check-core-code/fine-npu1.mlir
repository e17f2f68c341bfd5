// RUN: allo-opt %s --split-input-file --aie-check-core-code=refused=error 2>&1 | filecheck %s

// CHECK-NOT: {{(warning|error|remark): }}
// CHECK: aie.device
// CHECK-NOT: {{(warning|error|remark): }}

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %a = ub.poison : vector<4x8xi8>
    %b = ub.poison : vector<8x8xi8>
    %s = ub.poison : vector<4x8xi32>
    %x = arith.extui %a : vector<4x8xi8> to vector<4x8xi32>
    %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %a = ub.poison : vector<4x8xbf16>
    %b = ub.poison : vector<8x4xbf16>
    %s = ub.poison : vector<4x4xf32>
    %x = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
    %y = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<64x4x8xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %r = vector.transfer_read %buf[%c3, %c0, %c0], %f {in_bounds = [true, true]} : memref<64x4x8xf32>, vector<4x8xf32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<64x8xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %r = vector.transfer_read %buf[%c16, %c0], %f {in_bounds = [true, true]} : memref<64x8xf32>, vector<4x8xf32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<64x64xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %r = vector.transfer_read %buf[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x64xf32>, vector<1x16xf32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<72xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %r = vector.transfer_read %buf[%c16], %f {in_bounds = [false]} : memref<72xf32>, vector<16xf32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<128xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    scf.for %k = %c0 to %c64 step %c16 {
      %r = vector.transfer_read %buf[%k], %f {in_bounds = [true]} : memref<128xf32>, vector<16xf32>
    }
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<72xf32>
  %idx = aie.buffer(%t) : memref<1xindex>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %n = memref.load %idx[%c0] : memref<1xindex>
    %m = arith.muli %n, %c16 : index
    %r = vector.transfer_read %buf[%m], %f {in_bounds = [true]} : memref<72xf32>, vector<16xf32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %x = ub.poison : vector<32xi8>
    %r = arith.extsi %x : vector<32xi8> to vector<32xi32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %x = ub.poison : vector<32xi32>
    %s = arith.constant dense<4> : vector<32xi32>
    %lo = arith.constant dense<-128> : vector<32xi32>
    %hi = arith.constant dense<127> : vector<32xi32>
    %a = arith.shrsi %x, %s : vector<32xi32>
    %b = arith.maxsi %a, %lo : vector<32xi32>
    %c = arith.minsi %b, %hi : vector<32xi32>
    %r = arith.trunci %c : vector<32xi32> to vector<32xi8>
    aie.end
  }
}

// -----

aie.device(npu1) {
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
    %r = arith.cmpi slt, %x, %y : vector<16xi32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %x = ub.poison : i32
    %y = ub.poison : i32
    %r = arith.cmpi ult, %x, %y : i32
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %x = ub.poison : vector<8xi32>
    %y = ub.poison : vector<8xi32>
    %r = arith.cmpi ult, %x, %y : vector<8xi32>
    aie.end
  }
}

// -----

aie.device(npu1) {
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
    %r = vector.reduction <add>, %x : vector<16xf32> into f32
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %x = ub.poison : i16
    %y = ub.poison : i16
    %r = arith.shrsi %x, %y : i16
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %x = ub.poison : index
    %y = ub.poison : index
    %r = arith.shrsi %x, %y : index
    aie.end
  }
}

// -----

aie.device(npu1) {
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

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %x = ub.poison : vector<32xbf16>
    %y = ub.poison : vector<32xbf16>
    %r = arith.maximumf %x, %y : vector<32xbf16>
    aie.end
  }
}

// -----

aie.device(npu1) {
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
    %m = arith.mulf %x, %x : vector<16xf32>
    %r = arith.subf %m, %x : vector<16xf32>
    aie.end
  }
}

// -----

aie.device(npu1) {
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

aie.device(npu1) {
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
