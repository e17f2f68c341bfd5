module {
  func.func @core(%arg0: memref<6x20xf32>, %arg1: memref<20x6xf32>, %arg2: memref<6xf32>, %arg3: memref<20x6xf32>) {
    %alloc = memref.alloc() : memref<6x20xf32, 2 : i32>
    memref.copy %arg0, %alloc : memref<6x20xf32> to memref<6x20xf32, 2 : i32>
    %alloc_0 = memref.alloc() : memref<20x6xf32, 2 : i32>
    linalg.transpose ins(%alloc : memref<6x20xf32, 2 : i32>) outs(%alloc_0 : memref<20x6xf32, 2 : i32>) permutation = [1, 0] 
    %alloc_1 = memref.alloc() : memref<6xf32, 2 : i32>
    memref.copy %arg2, %alloc_1 : memref<6xf32> to memref<6xf32, 2 : i32>
    linalg.reduce ins(%alloc_0 : memref<20x6xf32, 2 : i32>) outs(%alloc_1 : memref<6xf32, 2 : i32>) dimensions = [0] 
      (%in: f32, %init: f32) {
        %0 = arith.addf %in, %init : f32
        linalg.yield %0 : f32
      }
    linalg.broadcast ins(%alloc_1 : memref<6xf32, 2 : i32>) outs(%alloc_0 : memref<20x6xf32, 2 : i32>) dimensions = [0] 
    memref.copy %alloc_1, %arg2 : memref<6xf32, 2 : i32> to memref<6xf32>
    %alloc_2 = memref.alloc() : memref<20x6xf32, 2 : i32>
    linalg.map { math.exp } ins(%alloc_0 : memref<20x6xf32, 2 : i32>) outs(%alloc_2 : memref<20x6xf32, 2 : i32>)
    memref.copy %alloc_2, %arg3 : memref<20x6xf32, 2 : i32> to memref<20x6xf32>
    memref.copy %alloc_0, %arg1 : memref<20x6xf32, 2 : i32> to memref<20x6xf32>
    return
  }
}
