// RUN: allo-opt %s --block-contractions=contractions=0 | filecheck %s
// RUN: allo-opt %s --block-contractions=contractions=0 --verify-each=execute | filecheck %s

// Pixels that are jammed are in one row of sixteen, so that their row is one number; rows of one pixel are not.

// CHECK-LABEL: func.func @rows
// CHECK:       scf.for %[[P:.*]] = %c0 to %c16 step
// CHECK:         %[[NEXT:.*]] = arith.addi %[[P]], %c1
// CHECK-NEXT:    arith.divui %[[P]], %c16
// CHECK-NEXT:    arith.divui %[[NEXT]], %c1
func.func @rows(%x: memref<24x4x8xbf16>, %w: memref<2x4x8x4xbf16>, %y: memref<2x16x4x4xf32>) {
  %z = arith.constant 0.0 : bf16
  %f = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %p = %c0 to %c16 step %c1 {
      %row = arith.divui %p, %c16 : index
      %one = arith.divui %p, %c1 : index
      %c = vector.transfer_read %y[%i, %p, %c0, %c0], %f {in_bounds = [true, true]} : memref<2x16x4x4xf32>, vector<4x4xf32>
      %r = scf.for %t = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
        %s = arith.addi %row, %one : index
        %at = arith.addi %s, %t : index
        %a = vector.transfer_read %x[%at, %c0, %c0], %z {in_bounds = [true, true]} : memref<24x4x8xbf16>, vector<4x8xbf16>
        %b = vector.transfer_read %w[%i, %t, %c0, %c0], %z {in_bounds = [true, true]} : memref<2x4x8x4xbf16>, vector<8x4xbf16>
        %ax = arith.extf %a : vector<4x8xbf16> to vector<4x8xf32>
        %bx = arith.extf %b : vector<8x4xbf16> to vector<8x4xf32>
        %n = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
            affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"],
            kind = #vector.kind<add>} %ax, %bx, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        scf.yield %n : vector<4x4xf32>
      }
      vector.transfer_write %r, %y[%i, %p, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<2x16x4x4xf32>
    }
  }
  return
}
