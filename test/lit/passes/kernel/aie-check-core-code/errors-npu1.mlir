// RUN: not allo-opt %s --split-input-file --aie-check-core-code 2>&1 >/dev/null | filecheck %s

// CHECK: error: 'vector.contract' op multiplies signed A by signed B, and becomes a MAC of unsigned A by signed B; run signed-contractions
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
    %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
    %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
    aie.end
  }
}

// -----

// CHECK: error: 'vector.contract' op multiplies signed A by signed B, and becomes a MAC of unsigned A by signed B
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
    %a = ub.poison : vector<4x2xi16>
    %b = ub.poison : vector<2x8xi16>
    %s = ub.poison : vector<4x8xi32>
    %x = arith.extsi %a : vector<4x2xi16> to vector<4x2xi32>
    %y = arith.extsi %b : vector<2x8xi16> to vector<2x8xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<4x2xi32>, vector<2x8xi32> into vector<4x8xi32>
    aie.end
  }
}

// -----

// CHECK: error: 'vector.transfer_read' op moves 32 elements one after another, but a 4x8 tile of 64x64 is not contiguous; pack the buffer
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
    %r = vector.transfer_read %buf[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x64xf32>, vector<4x8xf32>
    aie.end
  }
}

// -----

// CHECK: error: 'vector.transfer_write' op moves 32
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
    %x = ub.poison : vector<4x8xf32>
    vector.transfer_write %x, %buf[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<64x64xf32>
    aie.end
  }
}

// -----

// CHECK: error: 'vector.transfer_read' op drops the view's stride of 2
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %buf = aie.buffer(%t) : memref<64xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %f = ub.poison : f32
    %i = ub.poison : i8
    %v = memref.subview %buf[0] [32] [2] : memref<64xf32> to memref<32xf32, strided<[2]>>
    %r = vector.transfer_read %v[%c0], %f {in_bounds = [true]} : memref<32xf32, strided<[2]>>, vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: error: 'vector.transfer_read' op is assumed to be in bounds
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
    %r = vector.transfer_read %buf[%c64], %f {in_bounds = [false]} : memref<72xf32>, vector<16xf32>
    aie.end
  }
}

// -----

// CHECK: error: 'vector.transfer_read' op is assumed to be aligned to 32 bytes, but its address is only known to be a multiple of 4 bytes
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
    scf.for %k = %c0 to %c64 step %c1 {
      %r = vector.transfer_read %buf[%k], %f {in_bounds = [true]} : memref<128xf32>, vector<16xf32>
    }
    aie.end
  }
}

// -----

// CHECK: error: 'arith.extsi' op reads the bits of i8 lanes as i16; extend 32 lanes
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
    %x = ub.poison : vector<16xi8>
    %r = arith.extsi %x : vector<16xi8> to vector<16xi32>
    aie.end
  }
}

// -----

// CHECK: error: 'arith.cmpi' op becomes a signed comparison
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
    %r = arith.cmpi ult, %x, %y : vector<16xi32>
    aie.end
  }
}

// -----

// CHECK: error: 'vector.reduction' op becomes the signed reduction
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
    %r = vector.reduction <minui>, %x : vector<16xi32> into i32
    aie.end
  }
}

// -----

// CHECK: error: 'arith.shrsi' op rounds by the core's rounding mode instead of down; shift an index
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
    %r = arith.shrsi %x, %y : i32
    aie.end
  }
}
