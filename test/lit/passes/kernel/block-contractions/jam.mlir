// RUN: allo-opt %s --block-contractions=contractions=0 --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --block-contractions=contractions=0 --block-contractions=contractions=0 --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --block-contractions --canonicalize --cse | filecheck --check-prefix=UNROLLED %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Sixteen accumulators of 512 bits: four micro-tiles of rows by four of columns, which load the fewest operands.
// CHECK-LABEL: func.func @bf16
// CHECK:         scf.for %{{.*}} = %c0 to %c8 step %c4
// CHECK-NEXT:      scf.for %{{.*}} = %c0 to %c16 step %c4
// CHECK-COUNT-16:    vector.transfer_read %arg2
// CHECK:             scf.for {{.*}} -> (vector<4x4xf32>, {{.*}}, vector<4x4xf32>) {
// CHECK-COUNT-16:      vector.contract
// CHECK-NOT:           vector.contract
// CHECK:             }
// CHECK-COUNT-16:    vector.transfer_write {{.*}} %arg2
func.func @bf16(%A: memref<16x4x4x8xbf16>, %B: memref<4x8x8x4xbf16>, %C: memref<8x16x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %i = %c0 to %c16 step %c1 {
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

// Accumulators of 1024 bits: eight at most, of four rows of micro-tiles, which are half as long to load as columns, by two.
// CHECK-LABEL: func.func @i8
// CHECK:         scf.for {{.*}} = %c0 to %c16 step %c4
// CHECK-NEXT:      scf.for {{.*}} = %c0 to %c8 step %c2
// CHECK-COUNT-8:       vector.contract
// CHECK-NOT:           vector.contract
func.func @i8(%A: memref<16x8x4x8xi8>, %B: memref<8x8x8x8xi8>, %C: memref<8x16x4x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %c = vector.transfer_read %C[%j, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<8x16x4x8xi32>, vector<4x8xi32>
      %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %c) -> (vector<4x8xi32>) {
        %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<16x8x4x8xi8>, vector<4x8xi8>
        %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<8x8x8x8xi8>, vector<8x8xi8>
        %ae = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
        %be = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
        scf.yield %n : vector<4x8xi32>
      }
      vector.transfer_write %r, %C[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x8xi32>, memref<8x16x4x8xi32>
    }
  }
  return
}

// Three does not divide by a power of two: only the columns are jammed.
// CHECK-LABEL: func.func @odd
// CHECK:         scf.for {{.*}} = %c0 to %c3 step %c1
// CHECK-NOT:       scf.for {{.*}} %c8
// CHECK-COUNT-8:       vector.contract
// CHECK-NOT:           vector.contract
func.func @odd(%A: memref<3x2x4x8xbf16>, %B: memref<2x8x8x4xbf16>, %C: memref<8x3x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %c = vector.transfer_read %C[%j, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<8x3x4x4xf32>, vector<4x4xf32>
      %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
        %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<3x2x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<2x8x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        scf.yield %n : vector<4x4xf32>
      }
      vector.transfer_write %r, %C[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<8x3x4x4xf32>
    }
  }
  return
}

// Few rows: the loop over them has vanished, and the loop over columns is jammed alone. Something else may be beside it.
// CHECK-LABEL: func.func @one_loop
// CHECK:         scf.for {{.*}} = %c0 to %c16 step %c8
// CHECK:             scf.for {{.*}} -> (vector<4x4xf32>, {{.*}}, vector<4x4xf32>) {
// CHECK-COUNT-8:       vector.contract
// CHECK-NOT:           vector.contract
// CHECK:         memref.store
func.func @one_loop(%A: memref<4x4x8xbf16>, %B: memref<4x16x8x4xbf16>, %C: memref<16x4x4xf32>, %D: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %j = %c0 to %c16 step %c1 {
    %c = vector.transfer_read %C[%j, %c0, %c0], %q {in_bounds = [true, true]} : memref<16x4x4xf32>, vector<4x4xf32>
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
      %a = vector.transfer_read %A[%k, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x4x8xbf16>, vector<4x8xbf16>
      %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x16x8x4xbf16>, vector<8x4xbf16>
      %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
      %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
      %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
      scf.yield %n : vector<4x4xf32>
    }
    vector.transfer_write %r, %C[%j, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<16x4x4xf32>
  }
  memref.store %zero, %D[%c0] : memref<1xf32>
  return
}

// The only loop is not jammed away if the reduction stays a loop.
// CHECK-LABEL: func.func @stays_a_loop
// CHECK:         scf.for {{.*}} = %c0 to %c4 step %c2
// CHECK-COUNT-2:     vector.contract
// CHECK-NOT:         vector.contract
// UNROLLED-LABEL: func.func @stays_a_loop
// UNROLLED:         scf.for {{.*}} = %c0 to %c4 step %c1
// UNROLLED-COUNT-4:   vector.contract
// UNROLLED-NOT:       vector.contract
func.func @stays_a_loop(%A: memref<4x4x8xbf16>, %B: memref<4x4x8x4xbf16>, %C: memref<4x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %j = %c0 to %c4 step %c1 {
    %c = vector.transfer_read %C[%j, %c0, %c0], %q {in_bounds = [true, true]} : memref<4x4x4xf32>, vector<4x4xf32>
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
      %a = vector.transfer_read %A[%k, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x4x8xbf16>, vector<4x8xbf16>
      %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x4x8x4xbf16>, vector<8x4xbf16>
      %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
      %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
      %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
      scf.yield %n : vector<4x4xf32>
    }
    vector.transfer_write %r, %C[%j, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4x4xf32>
  }
  return
}
