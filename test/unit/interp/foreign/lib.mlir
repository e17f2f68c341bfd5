// linalg-to-func: named ops with library_call
module {
  func.func @lib(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>, %arg2: memref<16x16xf32>) {
    %cst = arith.constant 1.0 : f32
    linalg.fill {library_call = "fill_f32"} ins(%cst : f32) outs(%arg2 : memref<16x16xf32>)
    linalg.matmul {library_call = "mm"} ins(%arg0, %arg1 : memref<16x16xf32>, memref<16x16xf32>) outs(%arg2 : memref<16x16xf32>)
    %s = memref.subview %arg2[0, 0] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1]>>
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"], library_call = "square"} outs(%s : memref<8x8xf32, strided<[16, 1]>>) {
    ^bb0(%o: f32):
      %m = arith.mulf %o, %o : f32
      linalg.yield %m : f32
    }
    return
  }
}
