// RUN: allo-opt %s --legalize-contractions=device=npu2 --block-contractions="device=npu2 contractions=0" | filecheck %s

// Two columns and two rows are jammed: blocks that are turned once serve two products.

#t = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK:     scf.for %[[J:.*]] = %c0 to %c4 step %c2
// CHECK-NEXT:  scf.for %[[I:.*]] = %c0 to %c8 step %c2
// CHECK-COUNT-4: vector.contract
// CHECK-NOT:   vector.contract
func.func @turned(%A: memref<4x8x8x8xbf16>, %B: memref<4x4x8x8xbf16>, %C: memref<4x8x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %c = vector.transfer_read %C[%j, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<4x8x8x8xf32>, vector<8x8xf32>
      %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<8x8xf32>) {
        %a = vector.transfer_read %A[%k, %i, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8x8xbf16>, vector<8x8xbf16>
        %b = vector.transfer_read %B[%k, %j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x4x8x8xbf16>, vector<8x8xbf16>
        %ae = arith.extf %a : vector<8x8xbf16> to vector<8x8xf32>
        %be = arith.extf %b : vector<8x8xbf16> to vector<8x8xf32>
        %n = vector.contract {indexing_maps = [#t, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ae, %be, %acc : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
        scf.yield %n : vector<8x8xf32>
      }
      vector.transfer_write %r, %C[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<4x8x8x8xf32>
    }
  }
  return
}
