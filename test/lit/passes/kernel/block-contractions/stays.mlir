// RUN: allo-opt %s --block-contractions=contractions=0 | filecheck %s
// RUN: allo-opt %s --block-contractions="device=npu2 contractions=0" | filecheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// The outer loop's trip count is not known: it stays, and the inner loop is jammed.
// CHECK-LABEL: func.func @dynamic
// CHECK:         scf.for %{{.*}} = %c0 to %arg3 step %c1
// CHECK-COUNT-2:   vector.contract
func.func @dynamic(%A: memref<16x4x4x8xbf16>, %B: memref<4x8x8x4xbf16>, %C: memref<8x16x4x4xf32>, %trips: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %i = %c0 to %trips step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %c = vector.transfer_read %C[%j, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<8x16x4x4xf32>, vector<4x4xf32>
      %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
        %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<16x4x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        scf.yield %n : vector<4x4xf32>
      }
      vector.transfer_write %r, %C[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<8x16x4x4xf32>
    }
  }
  return
}

// Each column adds to the same accumulator in memory: the iterations depend on one another.
// CHECK-LABEL: func.func @same_place
// CHECK:         scf.for {{.*}} step %c1
// CHECK-NEXT:      scf.for {{.*}} step %c1
func.func @same_place(%A: memref<16x4x4x8xbf16>, %B: memref<4x8x8x4xbf16>, %C: memref<8x16x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %c = vector.transfer_read %C[%c0, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<8x16x4x4xf32>, vector<4x4xf32>
      %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
        %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<16x4x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        scf.yield %n : vector<4x4xf32>
      }
      vector.transfer_write %r, %C[%c0, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<8x16x4x4xf32>
    }
  }
  return
}

// A call in between may do anything.
// CHECK-LABEL: func.func @call
// CHECK:         scf.for {{.*}} step %c1
// CHECK-NEXT:      scf.for {{.*}} step %c1
func.func @call(%A: memref<16x4x4x8xbf16>, %B: memref<4x8x8x4xbf16>, %C: memref<8x16x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      func.call @log(%i) : (index) -> ()
      %c = vector.transfer_read %C[%j, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<8x16x4x4xf32>, vector<4x4xf32>
      %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
        %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<16x4x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        scf.yield %n : vector<4x4xf32>
      }
      vector.transfer_write %r, %C[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<8x16x4x4xf32>
    }
  }
  return
}
func.func private @log(index)

// One accumulator is all that fits.
// CHECK-LABEL: func.func @fits
// CHECK:         scf.for {{.*}} step %c1
// CHECK-NEXT:      scf.for {{.*}} step %c1
func.func @fits(%A: memref<16x4x16x8xbf16>, %B: memref<4x8x8x16xbf16>, %C: memref<8x16x16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %c = vector.transfer_read %C[%j, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<8x16x16x16xf32>, vector<16x16xf32>
      %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<16x16xf32>) {
        %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<16x4x16x8xbf16>, vector<16x8xbf16>
        %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8x16xbf16>, vector<8x16xbf16>
        %ae = arith.extf %a : vector<16x8xbf16> to vector<16x8xf32>
        %be = arith.extf %b : vector<8x16xbf16> to vector<8x16xf32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<16x8xf32>, vector<8x16xf32> into vector<16x16xf32>
        scf.yield %n : vector<16x16xf32>
      }
      vector.transfer_write %r, %C[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<8x16x16x16xf32>
    }
  }
  return
}
