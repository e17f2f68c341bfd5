// RUN: allo-opt %s --allow-unregistered-dialect --chunk-l2-copies | filecheck %s

// Cores that lie along one dimension of the result take a slice of 32 elements of another operand with each of 16 steps along k:
// L2 gets those of two steps at a time, as of k. What is the same for each step comes as often.
// CHECK:       #[[OF:.*]] = affine_map<(d0) -> (d0 * 64)>
// CHECK-LABEL: func.func @slices
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %c8{{.*}} step %c1{{.*}} {
// CHECK-NEXT:      %[[C:.*]] = affine.apply #[[OF]](%[[I]])
// CHECK-NEXT:      memref.subview %arg0[%[[C]]] [64] [1]
// CHECK:           memref.copy
// CHECK:         scf.for %[[J:.*]] = %c0{{.*}} to %c8{{.*}} step %c1{{.*}} {
// CHECK:           %[[R:.*]] = memref.subview %{{.*}}[%{{.*}}, 0] [2, 4] [1, 1] : memref<16x4xf32, 1>
// CHECK-NEXT:      linalg.broadcast ins(%arg1 : memref<4xf32>) outs(%[[R]] : {{.*}}) dimensions = [0]
func.func @slices(%a: memref<512xf32>, %b: memref<4xf32>) attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 16>, core = array<i64: 4, 32, 64>, micro = array<i64: 4, 4, 8>, padded = array<i64: 4, 512, 1024>, piece = 128 : i64, spread = 4 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %l2 = memref.alloc() : memref<512xf32, 1>
  memref.copy %a, %l2 : memref<512xf32> to memref<512xf32, 1>
  %m2 = memref.alloc() : memref<16x4xf32, 1>
  linalg.broadcast ins(%b : memref<4xf32>) outs(%m2 : memref<16x4xf32, 1>) dimensions = [0]
  scf.for %k = %c0 to %c16 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%k)
    %v = memref.subview %l2[%o] [32] [1] : memref<512xf32, 1> to memref<32xf32, strided<[1], offset: ?>, 1>
    %w = memref.subview %m2[%k, 0] [1, 4] [1, 1] : memref<16x4xf32, 1> to memref<4xf32, strided<[1], offset: ?>, 1>
    "test.use"(%v) : (memref<32xf32, strided<[1], offset: ?>, 1>) -> ()
    "test.use"(%w) : (memref<4xf32, strided<[1], offset: ?>, 1>) -> ()
  }
  return
}

// Without such a plan what is repeated stays whole.
// CHECK-LABEL: func.func @repeated
// CHECK:         linalg.broadcast ins(%arg0 : memref<4xf32>) outs(%{{.*}} : memref<16x4xf32, 1>) dimensions = [0]
func.func @repeated(%b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m2 = memref.alloc() : memref<16x4xf32, 1>
  linalg.broadcast ins(%b : memref<4xf32>) outs(%m2 : memref<16x4xf32, 1>) dimensions = [0]
  scf.for %k = %c0 to %c16 step %c1 {
    %w = memref.subview %m2[%k, 0] [1, 4] [1, 1] : memref<16x4xf32, 1> to memref<4xf32, strided<[1], offset: ?>, 1>
    "test.use"(%w) : (memref<4xf32, strided<[1], offset: ?>, 1>) -> ()
  }
  return
}
