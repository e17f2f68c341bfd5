// RUN: allo-opt %s --vectorize-contractions --canonicalize | filecheck %s
// RUN: allo-opt %s --vectorize-contractions --verify-each=execute | filecheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#bias = affine_map<(j, i, m, n) -> (j, m, n)>
#each = affine_map<(j, i, m, n) -> (j, i, m, n)>

// Each micro-tile of the sums starts from the bias of its columns.
// CHECK-LABEL: func.func @copied
// CHECK-NOT:     linalg.generic
// CHECK:         scf.for %[[I:.*]] = %c0
// CHECK:           scf.for %[[J:.*]] = %c0
// CHECK:             vector.transfer_read %[[BIAS:.*]][%[[J]], %c0, %c0]{{.*}} : memref<2x4x4xf32>, vector<4x4xf32>
// CHECK:             scf.for
// CHECK:             vector.transfer_write {{.*}}[%[[J]], %[[I]], %c0, %c0]
func.func @copied(%A: memref<3x4x4x8xbf16>, %B: memref<4x2x8x4xbf16>, %C: memref<2x3x4x4xf32>, %from: memref<2x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  %bias = memref.alloc() : memref<2x4x4xf32>
  %sums = memref.alloc() : memref<2x3x4x4xf32>
  memref.copy %from, %bias : memref<2x4x4xf32> to memref<2x4x4xf32>
  linalg.generic {indexing_maps = [#bias, #each], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%bias : memref<2x4x4xf32>) outs(%sums : memref<2x3x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %c = vector.transfer_read %sums[%j, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<2x3x4x4xf32>, vector<4x4xf32>
      %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
        %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<3x4x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x2x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        scf.yield %n : vector<4x4xf32>
      }
      vector.transfer_write %r, %sums[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<2x3x4x4xf32>
    }
  }
  memref.copy %sums, %C : memref<2x3x4x4xf32> to memref<2x3x4x4xf32>
  return
}

// A constant; the loop over the rows is the only one, as there is one column.
// CHECK-LABEL: func.func @filled
// CHECK:         %[[START:.*]] = arith.constant dense<1.5{{.*}}> : vector<4x4xf32>
// CHECK-NOT:     linalg.fill
// CHECK:         scf.for {{.*}} iter_args({{.*}} = %[[START]])
func.func @filled(%A: memref<3x4x4x8xbf16>, %B: memref<4x1x8x4xbf16>, %sums: memref<1x3x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  %start = arith.constant 1.5 : f32
  linalg.fill ins(%start : f32) outs(%sums : memref<1x3x4x4xf32>)
  scf.for %i = %c0 to %c3 step %c1 {
    %c = vector.transfer_read %sums[%c0, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<1x3x4x4xf32>, vector<4x4xf32>
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
      %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<3x4x4x8xbf16>, vector<4x8xbf16>
      %b = vector.transfer_read %B[%k, %c0, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x1x8x4xbf16>, vector<8x4xbf16>
      %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
      %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
      %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
      scf.yield %n : vector<4x4xf32>
    }
    vector.transfer_write %r, %sums[%c0, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<1x3x4x4xf32>
  }
  return
}

// The loop over t adds to the sums twice, so that they have to be in the buffer.
// CHECK-LABEL: func.func @again
// CHECK:         linalg.fill
// CHECK:         vector.transfer_read %arg2
func.func @again(%A: memref<3x4x4x8xbf16>, %B: memref<4x1x8x4xbf16>, %sums: memref<1x3x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  %start = arith.constant 1.5 : f32
  linalg.fill ins(%start : f32) outs(%sums : memref<1x3x4x4xf32>)
  scf.for %t = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c3 step %c1 {
      %c = vector.transfer_read %sums[%c0, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<1x3x4x4xf32>, vector<4x4xf32>
      %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
        %a = vector.transfer_read %A[%i, %k, %c0, %c0], %p {in_bounds = [true, true]} : memref<3x4x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %B[%k, %c0, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x1x8x4xbf16>, vector<8x4xbf16>
        %ae = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %be = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        scf.yield %n : vector<4x4xf32>
      }
      vector.transfer_write %r, %sums[%c0, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<1x3x4x4xf32>
    }
  }
  return
}
