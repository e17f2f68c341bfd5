// RUN: allo-opt %s --block-contractions --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --block-contractions --block-contractions --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --block-contractions=contractions=3 | filecheck %s --check-prefix=FEW
// RUN: allo-opt %s --block-contractions=device=npu2 --canonicalize --cse | filecheck %s --check-prefix=WIDE

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Four turns, each with its own place; the accumulator goes from one to the next. From 2 in steps of 2.
// CHECK-LABEL: func.func @four
// CHECK-NOT:     scf.for
// CHECK:         %[[A0:.*]] = vector.transfer_read %arg0[%c2, %c0]
// CHECK:         %[[R0:.*]] = vector.contract {{.*}} %[[A0]], %arg1, %arg2
// CHECK:         %[[A1:.*]] = vector.transfer_read %arg0[%c4, %c0]
// CHECK:         %[[R1:.*]] = vector.contract {{.*}} %[[A1]], %arg1, %[[R0]]
// CHECK:         %[[A2:.*]] = vector.transfer_read %arg0[%c6, %c0]
// CHECK:         %[[R2:.*]] = vector.contract {{.*}} %[[A2]], %arg1, %[[R1]]
// CHECK:         %[[A3:.*]] = vector.transfer_read %arg0[%c8, %c0]
// CHECK:         %[[R3:.*]] = vector.contract {{.*}} %[[A3]], %arg1, %[[R2]]
// CHECK-NOT:     vector.contract
// CHECK:         return %[[R3]]
// FEW-LABEL:   func.func @four
// FEW:           scf.for
func.func @four(%A: memref<16x8xf32>, %b: vector<8x4xf32>, %acc: vector<4x4xf32>) -> vector<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %p = ub.poison : f32
  %r = scf.for %k = %c2 to %c9 step %c2 iter_args(%sum = %acc) -> (vector<4x4xf32>) {
    %a = vector.transfer_read %A[%k, %c0], %p {in_bounds = [true, true]} : memref<16x8xf32>, vector<4x8xf32>
    %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    scf.yield %n : vector<4x4xf32>
  }
  return %r : vector<4x4xf32>
}

// Micro-tiles of 8 x 8 x 4 take 8 instructions each: of 8 turns all are unrolled, of 9 none.
// CHECK-LABEL: func.func @wide
// CHECK-NOT:     scf.for
// WIDE-LABEL:  func.func @wide
// WIDE-COUNT-8:  vector.contract
// WIDE:          scf.for
// WIDE:          vector.contract
// WIDE:          return
func.func @wide(%x: vector<8x8xbf16>, %y: vector<8x4xbf16>, %acc: vector<8x4xf32>) -> vector<8x4xf32> {
  %a = arith.extf %x : vector<8x8xbf16> to vector<8x8xf32>
  %b = arith.extf %y : vector<8x4xbf16> to vector<8x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%sum = %acc) -> (vector<8x4xf32>) {
    %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<8x8xf32>, vector<8x4xf32> into vector<8x4xf32>
    scf.yield %n : vector<8x4xf32>
  }
  %s = scf.for %k = %c0 to %c9 step %c1 iter_args(%sum = %r) -> (vector<8x4xf32>) {
    %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<8x8xf32>, vector<8x4xf32> into vector<8x4xf32>
    scf.yield %n : vector<8x4xf32>
  }
  return %s : vector<8x4xf32>
}

// More contractions than the code may hold, a trip count that is not known, and a loop without a contraction.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: scf.for
// FEW-LABEL:   func.func @stay
func.func @stay(%a: vector<4x8xf32>, %b: vector<8x4xf32>, %acc: vector<4x4xf32>, %n: index) -> (vector<4x4xf32>, vector<4x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c65 = arith.constant 65 : index
  %0 = scf.for %k = %c0 to %c65 step %c1 iter_args(%sum = %acc) -> (vector<4x4xf32>) {
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    scf.yield %r : vector<4x4xf32>
  }
  %1 = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %acc) -> (vector<4x4xf32>) {
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    scf.yield %r : vector<4x4xf32>
  }
  %2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%sum = %n) -> (index) {
    %r = arith.addi %sum, %k : index
    scf.yield %r : index
  }
  return %0, %1, %2 : vector<4x4xf32>, vector<4x4xf32>, index
}
