// RUN: allo-opt %s --split-input-file --fuse-into-contractions | filecheck %s

// Tiles are written transposed: the vectors would not be the rows that are read.

// CHECK-LABEL: aie.core
// CHECK:       vector.contract
// CHECK:       scf.for
// CHECK:       vector.transfer_read %{{.*}} : memref<96xf32>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %x = aie.buffer(%t) {sym_name = "x"} : memref<3x4x8xbf16>
  %y = aie.buffer(%t) {sym_name = "y"} : memref<2x8x4xbf16>
  %sums = aie.buffer(%t) {sym_name = "sums"} : memref<2x3x4x4xf32>
  %sums2 = aie.buffer(%t) {sym_name = "sums2"} : memref<2x3x4x4xf32>
  %out = aie.buffer(%t) {sym_name = "out"} : memref<96xbf16>
  %small = aie.buffer(%t) {sym_name = "small"} : memref<16xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %p = ub.poison : bf16
    %q = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<4x4xf32>
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %a = vector.transfer_read %x[%i, %c0, %c0], %p {in_bounds = [true, true]} : memref<3x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %y[%j, %c0, %c0], %p {in_bounds = [true, true]} : memref<2x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %zero : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        vector.transfer_write %r, %sums[%j, %i, %c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d3, d2)>} : vector<4x4xf32>, memref<2x3x4x4xf32>
      }
    }
    %row = memref.collapse_shape %sums [[0, 1, 2, 3]] : memref<2x3x4x4xf32> into memref<96xf32>
    scf.for %n = %c0 to %c96 step %c16 {
      %s = vector.transfer_read %row[%n], %q {in_bounds = [true]} : memref<96xf32>, vector<16xf32>
      %f = arith.truncf %s : vector<16xf32> to vector<16xbf16>
      vector.transfer_write %f, %out[%n] {in_bounds = [true]} : vector<16xbf16>, memref<96xbf16>
    }
    aie.end
  }
}

// -----

// The outer loop reads, after the inner one, what that wrote.

// CHECK-LABEL: aie.core
// CHECK:       vector.contract
// CHECK:       scf.for
// CHECK:       vector.transfer_read %{{.*}} : memref<96xf32>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %x = aie.buffer(%t) {sym_name = "x"} : memref<3x4x8xbf16>
  %y = aie.buffer(%t) {sym_name = "y"} : memref<2x8x4xbf16>
  %sums = aie.buffer(%t) {sym_name = "sums"} : memref<2x3x4x4xf32>
  %sums2 = aie.buffer(%t) {sym_name = "sums2"} : memref<2x3x4x4xf32>
  %out = aie.buffer(%t) {sym_name = "out"} : memref<96xbf16>
  %small = aie.buffer(%t) {sym_name = "small"} : memref<16xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %p = ub.poison : bf16
    %q = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<4x4xf32>
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %a = vector.transfer_read %x[%i, %c0, %c0], %p {in_bounds = [true, true]} : memref<3x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %y[%j, %c0, %c0], %p {in_bounds = [true, true]} : memref<2x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %zero : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        vector.transfer_write %r, %sums[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<2x3x4x4xf32>
      }
      %one = memref.load %sums[%c1, %i, %c0, %c0] : memref<2x3x4x4xf32>
      memref.store %one, %small[%i] : memref<16xf32>
    }
    %row = memref.collapse_shape %sums [[0, 1, 2, 3]] : memref<2x3x4x4xf32> into memref<96xf32>
    scf.for %n = %c0 to %c96 step %c16 {
      %s = vector.transfer_read %row[%n], %q {in_bounds = [true]} : memref<96xf32>, vector<16xf32>
      %f = arith.truncf %s : vector<16xf32> to vector<16xbf16>
      vector.transfer_write %f, %out[%n] {in_bounds = [true]} : vector<16xbf16>, memref<96xbf16>
    }
    aie.end
  }
}

// -----

// Each iteration writes the same place: the last one counts.

// CHECK-LABEL: aie.core
// CHECK:       vector.contract
// CHECK:       scf.for
// CHECK:       vector.transfer_read %{{.*}} : memref<96xf32>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %x = aie.buffer(%t) {sym_name = "x"} : memref<3x4x8xbf16>
  %y = aie.buffer(%t) {sym_name = "y"} : memref<2x8x4xbf16>
  %sums = aie.buffer(%t) {sym_name = "sums"} : memref<2x3x4x4xf32>
  %sums2 = aie.buffer(%t) {sym_name = "sums2"} : memref<2x3x4x4xf32>
  %out = aie.buffer(%t) {sym_name = "out"} : memref<96xbf16>
  %small = aie.buffer(%t) {sym_name = "small"} : memref<16xf32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %p = ub.poison : bf16
    %q = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<4x4xf32>
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %a = vector.transfer_read %x[%i, %c0, %c0], %p {in_bounds = [true, true]} : memref<3x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %y[%j, %c0, %c0], %p {in_bounds = [true, true]} : memref<2x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %zero : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        vector.transfer_write %r, %sums[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<2x3x4x4xf32>
      }
    }
    %row = memref.collapse_shape %sums [[0, 1, 2, 3]] : memref<2x3x4x4xf32> into memref<96xf32>
    scf.for %n = %c0 to %c96 step %c16 {
      %s = vector.transfer_read %row[%n], %q {in_bounds = [true]} : memref<96xf32>, vector<16xf32>
      vector.transfer_write %s, %small[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
    }
    aie.end
  }
}
