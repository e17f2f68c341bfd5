// RUN: allo-opt %s --legalize-contractions=device=npu2 --cse | filecheck %s
// RUN: allo-opt %s --legalize-contractions | filecheck %s --check-prefix=NPU1

// On AIE2 the MAC instruction has signs (signed-contractions).
// NPU1-NOT: arith.andi
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Outside of a loop the correction follows.
// CHECK-LABEL: func.func @both
// CHECK-DAG:     %[[X:.*]] = arith.extui %arg0 : vector<8x2xi16> to vector<8x2xi32>
// CHECK-DAG:     %[[Y:.*]] = arith.extui %arg1 : vector<2x8xi16> to vector<2x8xi32>
// CHECK:         %[[A:.*]] = vector.shape_cast %arg0 : vector<8x2xi16> to vector<16xi16>
// CHECK:         %[[MASK:.*]] = arith.constant dense<-32768> : vector<16xi16>
// CHECK:         %[[H:.*]] = arith.andi %[[A]], %[[MASK]]
// CHECK:         %[[H2:.*]] = vector.shape_cast %[[H]]
// CHECK:         %[[XH:.*]] = arith.extui %[[H2]] : vector<8x2xi16> to vector<8x2xi32>
// CHECK:         %[[O1:.*]] = vector.contract {{.*}} %[[XH]], %[[Y]],
// CHECK:         %[[O2:.*]] = vector.contract {{.*}} %[[X]], %{{.*}}, %[[O1]]
// CHECK:         %[[T:.*]] = vector.contract {{.*}} %[[X]], %[[Y]], %arg2
// CHECK-DAG:     %[[TF:.*]] = vector.shape_cast %[[T]] : vector<8x8xi32> to vector<64xi32>
// CHECK-DAG:     %[[TWICE:.*]] = arith.addi %[[OF:.*]], %[[OF]] : vector<64xi32>
// CHECK:         arith.subi %[[TF]], %[[TWICE]]
func.func @both(%a: vector<8x2xi16>, %b: vector<2x8xi16>, %c: vector<8x8xi32>) -> vector<8x8xi32> {
  %x = arith.extsi %a : vector<8x2xi16> to vector<8x2xi32>
  %y = arith.extsi %b : vector<2x8xi16> to vector<2x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<8x2xi32>, vector<2x8xi32> into vector<8x8xi32>
  return %r : vector<8x8xi32>
}

// One signed factor needs one correction, none none.
// CHECK-LABEL: func.func @signed_b
// CHECK-COUNT-1: arith.andi
// CHECK-NOT:     arith.andi
// CHECK-LABEL: func.func @unsigned
// CHECK-NOT:     arith.andi
func.func @signed_b(%a: vector<8x2xi16>, %b: vector<2x8xi16>, %c: vector<8x8xi32>) -> vector<8x8xi32> {
  %x = arith.extui %a : vector<8x2xi16> to vector<8x2xi32>
  %y = arith.extsi %b : vector<2x8xi16> to vector<2x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<8x2xi32>, vector<2x8xi32> into vector<8x8xi32>
  return %r : vector<8x8xi32>
}

func.func @unsigned(%a: vector<8x2xi16>, %b: vector<2x8xi16>, %c: vector<8x8xi32>) -> vector<8x8xi32> {
  %x = arith.extui %a : vector<8x2xi16> to vector<8x2xi32>
  %y = arith.extui %b : vector<2x8xi16> to vector<2x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<8x2xi32>, vector<2x8xi32> into vector<8x8xi32>
  return %r : vector<8x8xi32>
}

// Other types keep their signs.
// CHECK-LABEL: func.func @i8
// CHECK-NOT:     arith.andi
func.func @i8(%a: vector<8x8xi8>, %b: vector<8x8xi8>, %c: vector<8x8xi32>) -> vector<8x8xi32> {
  %x = arith.extsi %a : vector<8x8xi8> to vector<8x8xi32>
  %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<8x8xi32>, vector<8x8xi32> into vector<8x8xi32>
  return %r : vector<8x8xi32>
}

// The loop carries both sums, and one difference follows it.
// CHECK-LABEL: func.func @loop
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %arg2, %[[OFF:.*]] = %{{.*}}) -> (vector<8x8xi32>, vector<8x8xi32>)
// CHECK:           vector.contract {{.*}}, %[[OFF]]
// CHECK:           vector.contract
// CHECK:           vector.contract {{.*}}, %[[ACC]]
// CHECK-NOT:       arith.subi
// CHECK:           scf.yield
// CHECK:         arith.subi
func.func @loop(%a: vector<8x2xi16>, %b: vector<2x8xi16>, %c: vector<8x8xi32>, %n: index) -> vector<8x8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (vector<8x8xi32>) {
  %x = arith.extsi %a : vector<8x2xi16> to vector<8x2xi32>
  %y = arith.extsi %b : vector<2x8xi16> to vector<2x8xi32>
  %s = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc : vector<8x2xi32>, vector<2x8xi32> into vector<8x8xi32>
  scf.yield %s : vector<8x8xi32>
  }
  return %r : vector<8x8xi32>
}

// Loops of one trip, as of tiles of packed operands, are dropped first.
// CHECK-LABEL: func.func @units
// CHECK:         vector.contract {{.*}} : vector<8x2xi32>, vector<2x8xi32> into vector<8x8xi32>
// CHECK:         arith.subi
// CHECK:         vector.shape_cast %{{.*}} to vector<1x8x8xi32>
#umk = affine_map<(u, m, n, k) -> (u, m, k)>
#ukn = affine_map<(u, m, n, k) -> (u, k, n)>
#umn = affine_map<(u, m, n, k) -> (u, m, n)>
func.func @units(%a: vector<1x8x2xi16>, %b: vector<1x2x8xi16>, %c: vector<1x8x8xi32>) -> vector<1x8x8xi32> {
  %x = arith.extsi %a : vector<1x8x2xi16> to vector<1x8x2xi32>
  %y = arith.extsi %b : vector<1x2x8xi16> to vector<1x2x8xi32>
  %r = vector.contract {indexing_maps = [#umk, #ukn, #umn], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<1x8x2xi32>, vector<1x2x8xi32> into vector<1x8x8xi32>
  return %r : vector<1x8x8xi32>
}
