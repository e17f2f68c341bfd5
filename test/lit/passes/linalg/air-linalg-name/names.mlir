// RUN: allo-opt %s --air-linalg-name | filecheck %s
// RUN: allo-opt %s --air-linalg-name --air-rm-linalg-name | filecheck %s --check-prefix=GONE

// CHECK: linalg.fill {__internal_linalg_transform__ = "linalg.fill0"}
// CHECK: linalg.matmul {__internal_linalg_transform__ = "mine"}
// CHECK: linalg.matmul {__internal_linalg_transform__ = "linalg.matmul1"}
// GONE-NOT: __internal_linalg_transform__
func.func @f(%a: memref<4x4xf32>, %c: memref<4x4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%c : memref<4x4xf32>)
  linalg.matmul {__internal_linalg_transform__ = "mine"} ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
