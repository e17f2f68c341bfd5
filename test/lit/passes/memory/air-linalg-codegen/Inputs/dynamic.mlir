func.func @f(%a: memref<?x16xi32>, %b: memref<16x16xi32>, %c: memref<?x16xi32>) {
  linalg.matmul ins(%a, %b : memref<?x16xi32>, memref<16x16xi32>) outs(%c : memref<?x16xi32>)
  return
}
