// RUN: allo-opt %s --mlir-print-local-scope | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic --mlir-print-local-scope | allo-opt --mlir-print-local-scope | filecheck %s

// Products with a transposed operand, as text had them until 2025.

// CHECK-LABEL: func.func @b
// CHECK: linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<16x8xf32>)
func.func @b(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = linalg.matmul_transpose_b ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @a
// CHECK: linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {cast = #linalg.type_fn<cast_signed>} ins(%arg0, %arg1 : memref<8x4xi8>, memref<8x16xi8>)
func.func @a(%a: memref<8x4xi8>, %b: memref<8x16xi8>, %c: memref<4x16xi32>) {
  linalg.matmul_transpose_a {cast = #linalg.type_fn<cast_signed>}
    ins(%a, %b : memref<8x4xi8>, memref<8x16xi8>)
    outs(%c : memref<4x16xi32>)
  return
}

// CHECK-LABEL: func.func @batch
// CHECK: linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg0, %arg1
// CHECK: linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg2, %arg3
func.func @batch(%a: memref<2x8x4xf32>, %b: memref<2x8x16xf32>, %c: memref<2x4x8xf32>, %d: memref<2x16x8xf32>, %r: memref<2x4x16xf32>) {
  linalg.batch_matmul_transpose_a ins(%a, %b : memref<2x8x4xf32>, memref<2x8x16xf32>) outs(%r : memref<2x4x16xf32>) // one
  linalg.batch_matmul_transpose_b ins(%c, %d : memref<2x4x8xf32>, memref<2x16x8xf32>) outs(%r : memref<2x4x16xf32>) // linalg.matmul_transpose_b ins
  return
}

// In a herd, whose text is rewritten as a whole, and in the generic form.
// CHECK-LABEL: func.func @nested
// CHECK: air.herd
// CHECK: linalg.matmul indexing_maps = {{.*}} -> (d1, d2)>, {{.*}} ins(%{{.*}}, %{{.*}} : memref<4x8xi32, 2>, memref<4x8xi32, 2>)
// CHECK: linalg.matmul indexing_maps = {{.*}} -> (d1, d2)>, {{.*}} ins(%{{.*}}, %{{.*}} : memref<4x8xi32, 2>, memref<4x8xi32, 2>)
func.func @nested() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %a = memref.alloc() : memref<4x8xi32, 2>
    %c = memref.alloc() : memref<4x4xi32, 2>
    linalg.matmul_transpose_b ins(%a, %a : memref<4x8xi32, 2>, memref<4x8xi32, 2>) outs(%c : memref<4x4xi32, 2>)
    "linalg.matmul_transpose_b"(%a, %a, %c) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%u: i32, %v: i32, %w: i32):
      %p = "arith.muli"(%u, %v) : (i32, i32) -> i32
      %s = "arith.addi"(%w, %p) : (i32, i32) -> i32
      "linalg.yield"(%s) : (i32) -> ()
    }) : (memref<4x8xi32, 2>, memref<4x8xi32, 2>, memref<4x4xi32, 2>) -> ()
  }
  return
}
