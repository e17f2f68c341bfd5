// RUN: allo-opt %s --vectorize-generics | filecheck %s

// What only moves elements takes half a vector where rows are no longer; arithmetic has no such vectors.

// CHECK-LABEL: func.func @moves
// CHECK: vector.transfer_read {{.*}} vector<8xf32>
// CHECK: vector.transfer_write {{.*}} vector<8xf32>
func.func @moves(%a: memref<4x6x8xf32, 2>, %b: memref<6x4x8xf32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, i, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : memref<4x6x8xf32, 2>) outs(%b : memref<6x4x8xf32, 2>) {
  ^bb0(%x: f32, %u: f32):
    linalg.yield %x : f32
  }
  return
}

// Rows of four are none, nor are rows that begin within 32 bytes.

// CHECK-LABEL: func.func @short
// CHECK-SAME: allo.scalar
// CHECK-NOT: vector.transfer
func.func @short(%a: memref<4x6x4xf32, 2>, %b: memref<6x4x4xf32, 2>, %c: memref<4x6x12xf32, 2>, %d: memref<6x4x12xf32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, i, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : memref<4x6x4xf32, 2>) outs(%b : memref<6x4x4xf32, 2>) {
  ^bb0(%x: f32, %u: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, i, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%c : memref<4x6x12xf32, 2>) outs(%d : memref<6x4x12xf32, 2>) {
  ^bb0(%x: f32, %u: f32):
    linalg.yield %x : f32
  }
  return
}

// CHECK-LABEL: func.func @adds
// CHECK-SAME: allo.scalar
// CHECK-NOT: vector.transfer
// CHECK: vector.from_elements {{.*}}, %[[L:.*]], %[[L]] : vector<16xf32>
// CHECK: %{{.*}} = vector.extract %{{.*}}[7]
// CHECK-NOT: vector.extract
func.func @adds(%a: memref<4x6x8xf32, 2>, %b: memref<6x4x8xf32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, i, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : memref<4x6x8xf32, 2>) outs(%b : memref<6x4x8xf32, 2>) {
  ^bb0(%x: f32, %u: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  }
  return
}
