// RUN: allo-opt %s --legalize-contractions | filecheck %s
// RUN: allo-opt %s --legalize-contractions=device=npu2 | filecheck %s --check-prefix=NPU2

// No transposition is an instruction of AIE2p.
// NPU2-NOT: vector.transpose

// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[MV:.*]] = affine_map<(d0, d1) -> (d0, d1)>
#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Both operands turn, where they have 16 bits.
// CHECK-LABEL: func.func @both
// CHECK:       %[[A:.*]] = vector.transpose %arg0, [1, 0] : vector<8x4xbf16> to vector<4x8xbf16>
// CHECK:       %[[AE:.*]] = arith.extf %[[A]] : vector<4x8xbf16> to vector<4x8xf32>
// CHECK:       %[[B:.*]] = vector.transpose %arg1, [1, 0] : vector<4x8xbf16> to vector<8x4xbf16>
// CHECK:       %[[BE:.*]] = arith.extf %[[B]]
// CHECK:       vector.contract {indexing_maps = [#[[MK]], #[[KN]], #[[MN]]], {{.*}}} %[[AE]], %[[BE]], %arg2
func.func @both(%a: vector<8x4xbf16>, %b: vector<4x8xbf16>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = arith.extf %a : vector<8x4xbf16> to vector<8x4xf32>
  %1 = arith.extf %b : vector<4x8xbf16> to vector<4x8xf32>
  %2 = vector.contract {indexing_maps = [#km, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %1, %c : vector<8x4xf32>, vector<4x8xf32> into vector<4x4xf32>
  return %2 : vector<4x4xf32>
}

// A block argument that is not extended, beside one that is plain. A matrix of 1024 bits has no instruction that turns it.
// CHECK-LABEL: func.func @one
// CHECK:       %[[FLAT:.*]] = vector.shape_cast %arg1 : vector<4x8xi32> to vector<32xi32>
// CHECK:       %[[S:.*]] = vector.shuffle %[[FLAT]], %[[FLAT]] [0, 8, 16, 24, 1, 9, 17, 25, {{.*}}] : vector<32xi32>, vector<32xi32>
// CHECK:       %[[B:.*]] = vector.shape_cast %[[S]] : vector<32xi32> to vector<8x4xi32>
// CHECK:       vector.contract {indexing_maps = [#[[MK]], #[[KN]], #[[MN]]], {{.*}}} %arg0, %[[B]], %arg2
func.func @one(%a: vector<4x8xi32>, %b: vector<4x8xi32>, %c: vector<4x4xi32>) -> vector<4x4xi32> {
  %0 = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xi32>, vector<4x8xi32> into vector<4x4xi32>
  return %0 : vector<4x4xi32>
}

// What is plain, or no product of two matrices, stays.
// CHECK-LABEL: func.func @others
// CHECK-NOT:   vector.transpose
// CHECK:       vector.contract {indexing_maps = [#[[MK]], #[[KN]], #[[MN]]]
// CHECK:       vector.contract {indexing_maps = [#[[MV]],
func.func @others(%a: vector<4x8xf32>, %b: vector<8x4xf32>, %c: vector<4x4xf32>, %x: vector<8xf32>, %y: vector<4xf32>) -> (vector<4x4xf32>, vector<4xf32>) {
  %0 = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  %1 = vector.contract {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %x, %y : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
  return %0, %1 : vector<4x4xf32>, vector<4xf32>
}
