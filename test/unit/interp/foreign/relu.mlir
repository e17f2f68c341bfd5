// unregistered op, func.call with scalars, math ops
module {
  func.func private @relu(memref<16xf32, 2>, i32, f32) -> i32
  func.func @calls(%arg0: memref<16xf32>, %n: i32) -> i32 {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.5 : f32
    %l = memref.alloc() : memref<16xf32, 2>
    memref.copy %arg0, %l : memref<16xf32> to memref<16xf32, 2>
    %r = func.call @relu(%l, %n, %cst) : (memref<16xf32, 2>, i32, f32) -> i32
    memref.copy %l, %arg0 : memref<16xf32, 2> to memref<16xf32>
    "test.use"(%r) : (i32) -> ()
    memref.dealloc %l : memref<16xf32, 2>
    return %r : i32
  }
}
