// RUN: allo-opt %s --signed-contractions --canonicalize | filecheck %s
// RUN: allo-opt %s --signed-contractions=device=npu2 | filecheck %s --check-prefix=NPU2

// On AIE2p contractions of i8 keep their signs: nothing changes.
// NPU2-NOT: xllvm
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A is padded to a register of 64 bytes, B fills one, and the sums are one of the accumulator.
// CHECK-LABEL: func.func @i8
// CHECK-DAG:     %[[CONF:.*]] = arith.constant 776 : i32
// CHECK-DAG:     %[[A:.*]] = vector.shape_cast %arg0 : vector<4x8xi8> to vector<32xi8>
// CHECK:         %[[A64:.*]] = vector.shuffle %[[A]], %{{.*}} [0, 1, 2, {{.*}}, 30, 31, -1, {{.*}}] : vector<32xi8>, vector<32xi8>
// CHECK:         %[[B:.*]] = vector.shape_cast %arg1 : vector<8x8xi8> to vector<64xi8>
// CHECK:         %[[B32:.*]] = vector.bitcast %[[B]] : vector<64xi8> to vector<16xi32>
// CHECK:         %[[C:.*]] = vector.shape_cast %arg2 : vector<4x8xi32> to vector<32xi32>
// CHECK:         %[[C64:.*]] = vector.bitcast %[[C]] : vector<32xi32> to vector<16xi64>
// CHECK:         %[[R:.*]] = "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"(%[[A64]], %[[B32]], %[[C64]], %[[CONF]])
// CHECK:         vector.bitcast %[[R]] : vector<16xi64> to vector<32xi32>
func.func @i8(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}

// i16 has another mode, and other paddings.
// CHECK-LABEL: func.func @i16
// CHECK-DAG:     %[[CONF:.*]] = arith.constant 792 : i32
// CHECK:         vector.shuffle %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -1, {{.*}}] : vector<16xi8>, vector<16xi8>
// CHECK:         vector.shuffle %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1] : vector<8xi32>, vector<8xi32>
// CHECK:         acc32.mac.conf"({{.*}}, %[[CONF]])
func.func @i16(%a: vector<4x2xi16>, %b: vector<2x8xi16>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %x = arith.extsi %a : vector<4x2xi16> to vector<4x2xi32>
  %y = arith.extsi %b : vector<2x8xi16> to vector<2x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<4x2xi32>, vector<2x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}

// Unsigned factors have words of their own.
// CHECK-LABEL: func.func @unsigned
// CHECK:         arith.constant 8 : i32
// CHECK:         acc32.mac.conf"
func.func @unsigned(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %x = arith.extui %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extui %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}

// CHECK-LABEL: func.func @unsigned_b
// CHECK:         arith.constant 520 : i32
func.func @unsigned_b(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extui %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}

// A unsigned, B signed is what a contraction becomes anyway; shapes without an instruction stay as well.
// CHECK-LABEL: func.func @as_it_is
// CHECK-NOT:     xllvm
func.func @as_it_is(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>) -> vector<4x8xi32> {
  %x = arith.extui %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
  return %r : vector<4x8xi32>
}

func.func @other_shape(%a: vector<8x8xi8>, %b: vector<8x8xi8>, %c: vector<8x8xi32>) -> vector<8x8xi32> {
  %x = arith.extsi %a : vector<8x8xi8> to vector<8x8xi32>
  %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<8x8xi32>, vector<8x8xi32> into vector<8x8xi32>
  return %r : vector<8x8xi32>
}

// A loop carries the register.
// CHECK-LABEL: func.func @loop
// CHECK:         %[[INIT:.*]] = vector.bitcast %{{.*}} : vector<32xi32> to vector<16xi64>
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]]) -> (vector<16xi64>)
// CHECK:           %[[N:.*]] = "xllvm{{.*}}"(%{{.*}}, %{{.*}}, %[[ACC]], %{{.*}})
// CHECK-NEXT:      scf.yield %[[N]]
// CHECK:         vector.bitcast %[[R]]
func.func @loop(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>, %n: index) -> vector<4x8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (vector<4x8xi32>) {
  %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
  %s = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
  scf.yield %s : vector<4x8xi32>
  }
  return %r : vector<4x8xi32>
}
