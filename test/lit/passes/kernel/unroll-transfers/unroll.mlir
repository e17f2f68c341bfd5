// RUN: allo-opt %s --unroll-transfers=most=4 | filecheck %s

// A tile whose rows are apart is read and written row by row.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[M:.*]]: memref<4x16xf32, 2>, %[[I:.*]]: index)
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : vector<2x8xf32>
// CHECK: %[[A:.*]] = vector.transfer_read %[[M]][%[[I]], %{{.*}}], %{{.*}} {in_bounds = [true]} : memref<4x16xf32, 2>, vector<8xf32>
// CHECK: %[[V:.*]] = vector.insert %[[A]], %[[Z]] [0]
// CHECK: %[[K:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK: %[[B:.*]] = vector.transfer_read %[[M]][%[[K]], %{{.*}}]
// CHECK: %[[W:.*]] = vector.insert %[[B]], %[[V]] [1]
// CHECK: %[[R:.*]] = vector.extract %[[W]][0] : vector<8xf32>
// CHECK: vector.transfer_write %[[R]], %[[M]][%{{.*}}, %{{.*}}] {in_bounds = [true]} : vector<8xf32>
// CHECK: vector.extract %[[W]][1]
// CHECK: vector.transfer_write
func.func @rows(%m: memref<4x16xf32, 2>, %i: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %pad = ub.poison : f32
  %v = vector.transfer_read %m[%i, %c8], %pad {in_bounds = [true, true]} : memref<4x16xf32, 2>, vector<2x8xf32>
  vector.transfer_write %v, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, memref<4x16xf32, 2>
  return
}

// Where no two elements are neighbours, each is moved alone.
// CHECK-LABEL: func.func @elements
// CHECK-COUNT-3: memref.load
// CHECK-COUNT-3: memref.store
func.func @elements(%m: memref<3xi32, strided<[2]>, 2>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i32
  %v = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<3xi32, strided<[2]>, 2>, vector<3xi32>
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<3xi32>, memref<3xi32, strided<[2]>, 2>
  return
}

// Left: neighbours, more than `most` parts, what may leave the buffer, other memories.
// CHECK-LABEL: func.func @left
// CHECK: vector.transfer_read {{.*}} vector<2x16xf32>
// CHECK: vector.transfer_read {{.*}} vector<8x4xf32>
// CHECK: vector.transfer_read {{.*}} vector<2x8xf32>
// CHECK: vector.transfer_read {{.*}} vector<2x4xf32>
func.func @left(%m: memref<8x16xf32, 2>, %n: memref<8x16xf32>, %i: index) -> (vector<2x16xf32>, vector<8x4xf32>, vector<2x8xf32>, vector<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %a = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x16xf32, 2>, vector<2x16xf32>
  %b = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x16xf32, 2>, vector<8x4xf32>
  %c = vector.transfer_read %m[%i, %c0], %pad : memref<8x16xf32, 2>, vector<2x8xf32>
  %d = vector.transfer_read %n[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x16xf32>, vector<2x4xf32>
  return %a, %b, %c, %d : vector<2x16xf32>, vector<8x4xf32>, vector<2x8xf32>, vector<2x4xf32>
}
