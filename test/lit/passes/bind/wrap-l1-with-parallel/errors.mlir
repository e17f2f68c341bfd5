// RUN: allo-opt %s --split-input-file --verify-diagnostics --wrap-l1-with-parallel

func.func @leaves(%v: i32) -> memref<4xi32, 2> {
  // expected-error@+1 {{passes an L1 buffer to 'func.return', which stays outside of the core}}
  %l1 = memref.alloc() : memref<4xi32, 2>
  linalg.fill ins(%v : i32) outs(%l1 : memref<4xi32, 2>)
  return %l1 : memref<4xi32, 2>
}

// -----

func.func private @count(memref<4xi32, 2>) -> i32
func.func @result() -> i32 {
  %l = memref.alloc() : memref<4xi32, 2>
  // expected-error@below {{passes its result to 'func.return', which stays outside of the core}}
  %r = func.call @count(%l) : (memref<4xi32, 2>) -> i32
  memref.dealloc %l : memref<4xi32, 2>
  return %r : i32
}
