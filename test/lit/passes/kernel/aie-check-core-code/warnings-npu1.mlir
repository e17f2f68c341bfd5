// RUN: allo-opt %s --split-input-file --aie-check-core-code 2>&1 >/dev/null | filecheck %s
// RUN: not allo-opt %s --split-input-file --aie-check-core-code=refused=error > /dev/null 2>&1

// CHECK: warning: 'vector.contract' op is refused by mlir-aie's lowering; the factors must be extended to the sum's type; AIE2 has MxKxN i8 4x8x8
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
    %a = ub.poison : vector<4x4xi16>
    %b = ub.poison : vector<4x4xi16>
    %s = ub.poison : vector<4x4xi32>
    %x = arith.extsi %a : vector<4x4xi16> to vector<4x4xi32>
    %y = arith.extsi %b : vector<4x4xi16> to vector<4x4xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<4x4xi32>, vector<4x4xi32> into vector<4x4xi32>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.contract' op is refused
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

// CHECK: warning: 'vector.transfer_read' op is assumed to be in bounds
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
    %r = vector.transfer_read %buf[%n], %f {in_bounds = [false]} : memref<72xf32>, vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.transfer_read' op is assumed to be aligned
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
    %r = vector.transfer_read %buf[%n], %f {in_bounds = [true]} : memref<72xf32>, vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.transfer_read' op is refused by mlir-aie's lowering; read 512 bits
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<128xi8>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %r = vector.transfer_read %buf[%c3], %i {in_bounds = [true]} : memref<128xi8>, vector<32xi8>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.transfer_read' op reads or writes by a permutation
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<16x16xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %r = vector.transfer_read %buf[%c0, %c0], %f {in_bounds = [true], permutation_map = affine_map<(i, j) -> (i)>} : memref<16x16xf32>, vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.transfer_read' op broadcasts while it reads
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<16xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %r = vector.transfer_read %buf[%c0], %f {in_bounds = [true], permutation_map = affine_map<(i) -> (0)>} : memref<16xf32>, vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.extsi' op is refused
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
    %x = ub.poison : vector<64xi8>
    %r = arith.extsi %x : vector<64xi8> to vector<64xi32>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.trunci' op saturates where the value does not fit, instead of wrapping; clamp
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
    %r = arith.trunci %x : vector<16xi32> to vector<16xi16>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.trunci' op is refused by mlir-aie's lowering; truncate 32 lanes
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
    %r = arith.trunci %x : vector<16xi32> to vector<16xi8>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.trunci' op saturates
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
    %hi = arith.constant dense<128> : vector<32xi32>
    %a = arith.shrsi %x, %s : vector<32xi32>
    %b = arith.maxsi %a, %lo : vector<32xi32>
    %c = arith.minsi %b, %hi : vector<32xi32>
    %r = arith.trunci %c : vector<32xi32> to vector<32xi8>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.reduction' op is refused
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
    %r = vector.reduction <add>, %x : vector<16xi32> into i32
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.shrsi' op is refused
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
    %r = arith.shrsi %x, %y : vector<16xi32>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.subi' op is refused
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
    %r = arith.subi %x, %y : vector<16xi32>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.muli' op saturates
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
    %r = arith.muli %x, %y : vector<16xi32>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.maximumf' op is refused by mlir-aie's lowering; bitcast to i32
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
    %r = arith.maximumf %x, %y : vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.negf' op is refused
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
    %r = arith.negf %x : vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'arith.addf' op leaves a vector product as a generic vector operation, for which Peano has no rule; subtract the negated term
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
    %r = arith.addf %m, %x : vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'math.erf' op has no AIE form; write a polynomial
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
    %r = math.erf %x : vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: warning: 'math.tanh' op becomes a call that only the C++ backend has
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
    %r = math.tanh %x : vector<16xbf16>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.transpose' op is refused
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
    %x = ub.poison : vector<8x4xi8>
    %r = vector.transpose %x, [1, 0] : vector<8x4xi8> to vector<4x8xi8>
    aie.end
  }
}

// -----

// CHECK: warning: 'vector.broadcast' op is refused
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
    %v = vector.extract %x[3] : f32 from vector<16xf32>
    %r = vector.broadcast %v : f32 to vector<16xf32>
    aie.end
  }
}

// -----

// 12 * k modulo 256 is a multiple of 4, not of 12.
// CHECK: warning: 'vector.transfer_read' op is assumed to be aligned to 32 bytes, but its address is only known to be a multiple of 16 bytes
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<128xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c12 = arith.constant 12 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    scf.for %k = %c0 to %c64 step %c1 {
      %wide = arith.muli %k, %c12 : index
      %cast = arith.index_cast %wide : index to i32
      %narrow = arith.trunci %cast : i32 to i8
      %at = arith.index_castui %narrow : i8 to index
      %r = vector.transfer_read %buf[%at], %f {in_bounds = [true]} : memref<128xf32>, vector<16xf32>
    }
    aie.end
  }
}
