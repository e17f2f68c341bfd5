// RUN: allo-opt %s --legalize-arithmetic --cse | filecheck %s --check-prefixes=CHECK,NPU1
// RUN: allo-opt %s --legalize-arithmetic=device=npu2 --cse | filecheck %s --check-prefixes=CHECK,NPU2
// RUN: allo-opt %s --legalize-arithmetic=scalars=false | filecheck %s --check-prefix=KEPT

// A chain of f32 scalars stays in vectors; what stores it takes lane 0.
// CHECK-LABEL: func.func @chain
// CHECK-DAG: %[[X:.*]] = vector.broadcast %arg0 : f32 to vector<16xf32>
// CHECK-DAG: %[[HALF:.*]] = arith.constant dense<5.000000e-01> : vector<16xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[HALF]] : vector<16xf32>
// CHECK: %[[DIFFERENCE:.*]] = arith.subf %[[SUM]], %[[X]] : vector<16xf32>
// CHECK: %[[LANE:.*]] = vector.extract %[[DIFFERENCE]][0] : f32 from vector<16xf32>
// CHECK: memref.store %[[LANE]]
// KEPT-LABEL: func.func @chain
// KEPT: %[[SUM:.*]] = arith.addf %arg0, %{{.*}} : f32
// KEPT: arith.subf %[[SUM]], %arg0 : f32
func.func @chain(%x: f32, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %sum = arith.addf %x, %half : f32
  %difference = arith.subf %sum, %x : f32
  memref.store %difference, %out[%c0] : memref<1xf32>
  return
}

// The quotient by a constant is a product with 0.125, one by another number a product with its inverse where that is an instruction.
// CHECK-LABEL: func.func @quotients
// NPU1: arith.constant dense<1.250000e-01> : vector<16xf32>
// CHECK-NOT: arith.divf %arg0
// NPU1: arith.divf %{{.*}}, %arg1 : f32
// NPU2: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// NPU2: arith.divf %[[ONE]], %arg1 : f32
func.func @quotients(%x: f32, %y: f32, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %eight = arith.constant 8.0 : f32
  %eighth = arith.divf %x, %eight : f32
  %quotient = arith.divf %eighth, %y : f32
  memref.store %quotient, %out[%c0] : memref<1xf32>
  return
}

// bf16 scalars have instructions of their own, and an inverse is one on npu2.
// CHECK-LABEL: func.func @others
// CHECK: arith.addf %arg0, %arg0 : bf16
// NPU2: arith.divf %{{.*}}, %arg1 : f32
// CHECK: return
func.func @others(%x: bf16, %y: f32) -> (bf16, f32) {
  %one = arith.constant 1.0 : f32
  %sum = arith.addf %x, %x : bf16
  %inverse = arith.divf %one, %y : f32
  return %sum, %inverse : bf16, f32
}

// Lane 0 of a vector needs no other vector; other lanes stay scalars, as the tool chain does not broadcast an extracted number.
// CHECK-LABEL: func.func @extracted
// CHECK: %[[SUM:.*]] = arith.addf %arg0, %{{.*}} : vector<16xf32>
// CHECK: vector.extract %[[SUM]][0]
// CHECK: %[[THIRD:.*]] = vector.extract %arg0[3]
// CHECK: arith.addf %[[THIRD]], %{{.*}} : f32
func.func @extracted(%x: vector<16xf32>) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %first = vector.extract %x[0] : f32 from vector<16xf32>
  %a = arith.addf %first, %one : f32
  %third = vector.extract %x[3] : f32 from vector<16xf32>
  %b = arith.addf %third, %one : f32
  return %a, %b : f32, f32
}

// A sum that is in all lanes is its own broadcast.
// CHECK-LABEL: func.func @broadcast
// CHECK: %[[X:.*]] = vector.broadcast %arg0
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : vector<16xf32>
// CHECK-NOT: vector.broadcast
// CHECK: return %[[SUM]]
func.func @broadcast(%x: f32) -> vector<16xf32> {
  %sum = arith.addf %x, %x : f32
  %all = vector.broadcast %sum : f32 to vector<16xf32>
  return %all : vector<16xf32>
}
