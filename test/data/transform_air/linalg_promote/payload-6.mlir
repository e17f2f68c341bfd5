// a buffer that is read behind the operation keeps what it holds
func.func @f(%x: memref<4x4xf32>, %v: memref<4x4xf32>, %w: memref<4x4xf32>) {
  %c1 = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<4x4xf32, 1>
  linalg.fill ins(%c1 : f32) outs(%b : memref<4x4xf32, 1>)
  memref.copy %b, %v : memref<4x4xf32, 1> to memref<4x4xf32>
  linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%v : memref<4x4xf32>)
  memref.copy %b, %w : memref<4x4xf32, 1> to memref<4x4xf32>
  return
}
