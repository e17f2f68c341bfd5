// RUN: allo-opt %s --air-par-to-herd | filecheck %s

// Values from outside become arguments, in order of first use and each once; constants are cloned.

// CHECK-LABEL: func.func @captured
// CHECK-SAME:  (%[[A:.*]]: memref<8xbf16, 2>, %[[B:.*]]: memref<f32, 2>, %[[U:.*]]: memref<*xi8>, %[[V:.*]]: vector<4xi8>, %[[N:.*]]: index, %[[T:.*]]: tensor<2xf32>)
// CHECK:       air.herd @herd_0 tile{{ *}}(%[[X:.*]], %{{.*}}) in ({{.*}}) args(%[[V1:.*]]=%[[V]], %[[N1:.*]]=%[[N]], %[[A1:.*]]=%[[A]], %[[B1:.*]]=%[[B]], %[[U1:.*]]=%[[U]], %[[T1:.*]]=%[[T]]) : vector<4xi8>, index, memref<8xbf16, 2>, memref<f32, 2>, memref<*xi8>, tensor<2xf32> {
// CHECK-DAG:     %[[H:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG:     %[[Z:.*]] = arith.constant dense<0> : vector<4xi8>
// CHECK-DAG:     %[[P:.*]] = ub.poison : bf16
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK:         arith.addi %[[V1]], %[[Z]]
// CHECK:         %[[S:.*]] = scf.for %{{.*}} = %[[C0]] to %[[N1]] step %[[C1]] iter_args(%[[ACC:.*]] = %[[H]]) -> (f32) {
// CHECK:           memref.store %[[P]], %[[A1]][%[[X]]]
// CHECK:           arith.addf %[[ACC]], %[[H]]
// CHECK:         memref.store %[[S]], %[[B1]][]
// CHECK:         memref.cast %[[U1]]
// CHECK:         tensor.extract %[[T1]][%[[X]]]
func.func @captured(%a: memref<8xbf16, 2>, %b: memref<f32, 2>, %u: memref<*xi8>, %v: vector<4xi8>, %n: index, %t: tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %zeros = arith.constant dense<0> : vector<4xi8>
  %poison = ub.poison : bf16
  scf.forall (%i) in (2) {
    %w = arith.addi %v, %zeros : vector<4xi8>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %half) -> (f32) {
      memref.store %poison, %a[%i] : memref<8xbf16, 2>
      %next = arith.addf %acc, %half : f32
      scf.yield %next : f32
    }
    memref.store %sum, %b[] : memref<f32, 2>
    %ranked = memref.cast %u : memref<*xi8> to memref<4xi8>
    %e = tensor.extract %t[%i] : tensor<2xf32>
  }
  return
}

// A loop around the herd gives its induction variable as an argument, and its values stay outside.

// CHECK-LABEL: func.func @sequential
// CHECK:       %[[R:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (index) {
// CHECK:         air.herd @herd_1 tile{{ *}}({{.*}}) in ({{.*}}) args(%{{.*}}=%[[ACC]], %{{.*}}=%{{.*}}, %{{.*}}=%[[K]]) : index, memref<8xindex, 2>, index {
// CHECK:         scf.yield
func.func @sequential(%a: memref<8xindex, 2>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %c0) -> (index) {
    scf.forall (%i) in (2) {
      memref.store %acc, %a[%k] : memref<8xindex, 2>
    }
    %next = arith.addi %acc, %k : index
    scf.yield %next : index
  }
  return %r : index
}

// Arguments keep their order; where their types change more often than can be held, they are put together by type.

// CHECK-LABEL: func.func @alternating
// CHECK:       air.herd @herd_2 {{.*}} : index, index, index, index, index, index, index, index, index, memref<1xindex, 2>, memref<1xindex, 2>, memref<1xindex, 2>
func.func @alternating(%i0: index, %a0: memref<1xindex, 2>, %i1: index, %a1: memref<1xindex, 2>, %i2: index, %a2: memref<1xindex, 2>, %i3: index, %a3: memref<1xindex, 2>, %i4: index, %a4: memref<1xindex, 2>, %i5: index, %a5: memref<1xindex, 2>, %i6: index, %a6: memref<1xindex, 2>, %i7: index, %a7: memref<1xindex, 2>, %i8: index, %a8: memref<1xindex, 2>) {
  scf.forall (%x) in (2) {
    memref.store %i0, %a0[%i0] : memref<1xindex, 2>
    memref.store %i1, %a1[%i1] : memref<1xindex, 2>
    memref.store %i2, %a2[%i2] : memref<1xindex, 2>
    memref.store %i3, %a3[%i3] : memref<1xindex, 2>
    memref.store %i4, %a4[%i4] : memref<1xindex, 2>
    memref.store %i5, %a5[%i5] : memref<1xindex, 2>
    memref.store %i6, %a6[%i6] : memref<1xindex, 2>
    memref.store %i7, %a7[%i7] : memref<1xindex, 2>
    memref.store %i8, %a8[%i8] : memref<1xindex, 2>
  }
  return
}
