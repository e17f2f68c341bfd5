// RUN: allo-opt %s --verify-diagnostics --wrap-l1-with-parallel

func.func @leaves(%v: i32) -> memref<4xi32, 2> {
  // expected-error@+1 {{gives an L1 buffer to 'func.return', which stays outside of the core}}
  %l1 = memref.alloc() : memref<4xi32, 2>
  linalg.fill ins(%v : i32) outs(%l1 : memref<4xi32, 2>)
  return %l1 : memref<4xi32, 2>
}
