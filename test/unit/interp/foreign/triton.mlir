// triton style reinterpret_cast
module {
  func.func @triton(%arg0: memref<*xf32>, %arg1: memref<*xf32>, %pid: i32) {
    %c256 = arith.constant 256 : index
    %i = arith.index_cast %pid : i32 to index
    %o = arith.muli %i, %c256 : index
    %rc = memref.reinterpret_cast %arg0 to offset: [%o], sizes: [256], strides: [1] : memref<*xf32> to memref<256xf32, strided<[1], offset: ?>>
    %alloc = memref.alloc() : memref<256xf32>
    memref.copy %rc, %alloc : memref<256xf32, strided<[1], offset: ?>> to memref<256xf32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%alloc : memref<256xf32>) outs(%alloc : memref<256xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    }
    %rd = memref.reinterpret_cast %arg1 to offset: [%o], sizes: [256], strides: [1] : memref<*xf32> to memref<256xf32, strided<[1], offset: ?>>
    memref.copy %alloc, %rd : memref<256xf32> to memref<256xf32, strided<[1], offset: ?>>
    return
  }
}
