module {
  func.func @f(%arg0: memref<4x4xf32>, %arg1: memref<4x4xf32>, %arg2: memref<4x4xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %alloc = memref.alloc() : memref<4x4xf32, 1>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<4x4xf32, 1>)
    memref.copy %alloc, %arg1 : memref<4x4xf32, 1> to memref<4x4xf32>
    %alloc_0 = memref.alloc() : memref<4x4xf32, 1 : i32>
    memref.copy %arg1, %alloc_0 : memref<4x4xf32> to memref<4x4xf32, 1 : i32>
    linalg.matmul ins(%arg0, %arg0 : memref<4x4xf32>, memref<4x4xf32>) outs(%alloc_0 : memref<4x4xf32, 1 : i32>)
    memref.copy %alloc_0, %arg1 : memref<4x4xf32, 1 : i32> to memref<4x4xf32>
    memref.copy %alloc, %arg2 : memref<4x4xf32, 1> to memref<4x4xf32>
    return
  }
}
