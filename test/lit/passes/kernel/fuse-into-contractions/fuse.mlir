// RUN: allo-opt %s --fuse-into-contractions --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --fuse-into-contractions --fuse-into-contractions --canonicalize --cse | filecheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 0) {init = 1 : i32}
  %x = aie.buffer(%t) {sym_name = "x"} : memref<3x4x8xbf16>
  %y = aie.buffer(%t) {sym_name = "y"} : memref<2x8x4xbf16>
  %sums = aie.buffer(%t) {sym_name = "sums"} : memref<2x3x4x4xf32>
  %out = aie.buffer(%t) {sym_name = "out"} : memref<96xbf16>
  %by = aie.buffer(%t) {sym_name = "by"} : memref<32xf32>
  %most = aie.buffer(%t) {sym_name = "most"} : memref<16xf32>
  %turned = aie.buffer(%t) {sym_name = "turned"} : memref<96xf32>

  // What a loop over all sums makes of them, with a number of each row of tiles, and their maximum, come into the one loop of the
  // contractions, also past the release of a lock. What stands between moves in front.
  // CHECK:      aie.core
  // CHECK:        %[[FIRST:.*]] = vector.transfer_read %{{.*}}[%c0]
  // CHECK:        %[[MOST:.*]] = scf.for %[[N:.*]] = %c0 to %c6 step %c1 iter_args(%[[M:.*]] = %[[FIRST]])
  // CHECK-DAG:      %[[I:.*]] = affine.apply #{{.*}}(%[[N]])
  // CHECK-DAG:      %[[J:.*]] = affine.apply #{{.*}}(%[[N]])
  // CHECK:          %[[R:.*]] = vector.contract
  // CHECK:          vector.transfer_write %[[R]], %{{.*}}[%[[J]], %[[I]], %c0, %c0]
  // CHECK:          %[[ROW:.*]] = vector.shape_cast %[[R]] : vector<4x4xf32> to vector<16xf32>
  // CHECK:          %[[BY:.*]] = vector.transfer_read %{{.*}} : memref<32xf32>, vector<16xf32>
  // CHECK:          %[[SUM:.*]] = arith.addf %[[ROW]], %[[BY]]
  // CHECK:          vector.transfer_write %{{.*}} : vector<16xbf16>, memref<96xbf16>
  // CHECK:          %[[NEXT:.*]] = arith.maximumf %[[M]], %[[ROW]]
  // CHECK:          scf.yield %[[NEXT]]
  // CHECK:        }
  // CHECK-NEXT:   aie.use_lock
  // CHECK:        vector.transfer_write %[[MOST]]
  // CHECK:        aie.use_lock
  // The contractions after it stay with the lock in front of what reads their sums, and with a loop in another order.
  // CHECK:        vector.contract
  // CHECK-NOT:    shape_cast
  // CHECK:        aie.use_lock
  // CHECK:        scf.for
  // CHECK:          vector.transfer_read
  // CHECK:        vector.contract
  // CHECK:        scf.for
  // CHECK:          vector.transfer_write %{{.*}} : vector<16xf32>, memref<96xf32>
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
    aie.use_lock(%lock, AcquireGreaterEqual, 1)
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
    aie.use_lock(%lock, Release, 1)
    %row = memref.collapse_shape %sums [[0, 1, 2, 3]] : memref<2x3x4x4xf32> into memref<96xf32>
    scf.for %j = %c0 to %c2 step %c1 {
      %at = affine.apply affine_map<(j) -> (j * 16)>(%j)
      %d = vector.transfer_read %by[%at], %q {in_bounds = [true]} : memref<32xf32>, vector<16xf32>
      scf.for %i = %c0 to %c3 step %c1 {
        %n = affine.apply affine_map<(j, i) -> (j * 48 + i * 16)>(%j, %i)
        %s = vector.transfer_read %row[%n], %q {in_bounds = [true]} : memref<96xf32>, vector<16xf32>
        %e = arith.addf %s, %d : vector<16xf32>
        %f = arith.truncf %e : vector<16xf32> to vector<16xbf16>
        vector.transfer_write %f, %out[%n] {in_bounds = [true]} : vector<16xbf16>, memref<96xbf16>
      }
    }
    %before = vector.transfer_read %most[%c0], %q {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
    %m = scf.for %n = %c0 to %c96 step %c16 iter_args(%o = %before) -> (vector<16xf32>) {
      %s = vector.transfer_read %row[%n], %q {in_bounds = [true]} : memref<96xf32>, vector<16xf32>
      %e = arith.maximumf %o, %s : vector<16xf32>
      scf.yield %e : vector<16xf32>
    }
    vector.transfer_write %m, %most[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
    aie.use_lock(%lock, AcquireGreaterEqual, 1)
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
    aie.use_lock(%lock, AcquireGreaterEqual, 1)
    scf.for %n = %c0 to %c96 step %c16 {
      %s = vector.transfer_read %row[%n], %q {in_bounds = [true]} : memref<96xf32>, vector<16xf32>
      %f = arith.truncf %s : vector<16xf32> to vector<16xbf16>
      vector.transfer_write %f, %out[%n] {in_bounds = [true]} : vector<16xbf16>, memref<96xbf16>
    }
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
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %n = affine.apply affine_map<(j, i) -> (j * 48 + i * 16)>(%j, %i)
        %s = vector.transfer_read %row[%n], %q {in_bounds = [true]} : memref<96xf32>, vector<16xf32>
        vector.transfer_write %s, %turned[%n] {in_bounds = [true]} : vector<16xf32>, memref<96xf32>
      }
    }
    aie.end
  }
}
