module {
  func.func @core(%arg0: memref<36x20xf32>, %arg1: memref<36x20xf32>, %arg2: memref<36x20xf32>, %arg3: index, %arg4: f32) {
    %subview = memref.subview %arg0[%arg3, 0] [6, 20] [1, 1] : memref<36x20xf32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
    %subview_0 = memref.subview %arg1[%arg3, 0] [6, 20] [1, 1] : memref<36x20xf32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
    %subview_1 = memref.subview %arg2[%arg3, 0] [6, 20] [1, 1] : memref<36x20xf32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
    %alloc = memref.alloc() : memref<6x20xf32, 1 : i32>
    linalg.fill ins(%arg4 : f32) outs(%alloc : memref<6x20xf32, 1 : i32>)
    %alloc_2 = memref.alloc() : memref<6x20xf32, 1 : i32>
    linalg.fill ins(%arg4 : f32) outs(%alloc_2 : memref<6x20xf32, 1 : i32>)
    memref.copy %alloc_2, %subview_1 : memref<6x20xf32, 1 : i32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
    memref.dealloc %alloc_2 : memref<6x20xf32, 1 : i32>
    memref.store %arg4, %arg2[%arg3, %arg3] : memref<36x20xf32>
    linalg.add ins(%alloc, %subview_0 : memref<6x20xf32, 1 : i32>, memref<6x20xf32, strided<[20, 1], offset: ?>>) outs(%alloc : memref<6x20xf32, 1 : i32>)
    memref.copy %alloc, %subview : memref<6x20xf32, 1 : i32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
    memref.dealloc %alloc : memref<6x20xf32, 1 : i32>
    %alloc_3 = memref.alloc() : memref<6x20xf32, 1 : i32>
    memref.copy %subview_1, %alloc_3 : memref<6x20xf32, strided<[20, 1], offset: ?>> to memref<6x20xf32, 1 : i32>
    linalg.add ins(%alloc_3, %subview_0 : memref<6x20xf32, 1 : i32>, memref<6x20xf32, strided<[20, 1], offset: ?>>) outs(%alloc_3 : memref<6x20xf32, 1 : i32>)
    memref.copy %alloc_3, %subview_1 : memref<6x20xf32, 1 : i32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
    memref.dealloc %alloc_3 : memref<6x20xf32, 1 : i32>
    return
  }
}
