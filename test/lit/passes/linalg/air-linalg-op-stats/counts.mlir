// RUN: allo-opt %s --air-linalg-op-stats=outputfile=%t.json | filecheck %s
// RUN: cat %t.json | filecheck %s --check-prefix=JSON
// RUN: allo-opt %s --air-linalg-op-stats -o %t.mlir | filecheck %s --check-prefix=JSON
// RUN: not allo-opt %s --air-linalg-op-stats=outputfile=%t.json/x 2>&1 | filecheck %s --check-prefix=ERROR

// CHECK: linalg.matmul ins

// JSON: "f": {
// JSON-NEXT:   "linalg.fill0": {
// JSON-NEXT:     "footprint": 16,
// JSON-NEXT:     "reads": 16,
// JSON-NEXT:     "writes": 16
// JSON:        "linalg.matmul1": {
// JSON-NEXT:     "arith.addf": 128,
// JSON-NEXT:     "arith.mulf": 128,
// JSON-NEXT:     "footprint": 80,
// JSON-NEXT:     "reads": 384,
// JSON-NEXT:     "writes": 128
// JSON-NOT: "none"

// ERROR: pass 'air-linalg-op-stats': cannot write outputfile
func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<4x4xf32>)
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
func.func @none() {
  return
}
