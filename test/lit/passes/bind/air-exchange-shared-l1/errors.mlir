// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-exchange-shared-l1

func.func @sizes() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<8xi32, 2>
  air.herd @one tile (%i, %j) in (%p=%c2, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
    linalg.add ins(%a, %a : memref<8xi32, 2>, memref<8xi32, 2>) outs(%a : memref<8xi32, 2>)
  }
  // expected-error@+1 {{of size [1, 1] reads an L1 buffer that a herd of size [2, 1] writes; they must be equal, or the writer has one core}}
  air.herd @two tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
  }
  return
}

// -----

func.func @round() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<8xi32, 2>
  scf.for %k = %c0 to %c2 step %c1 {
    // expected-error@+1 {{reads data in an L1 buffer that a herd on other cores wrote in the previous iteration}}
    air.herd @one tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
      linalg.add ins(%a, %a : memref<8xi32, 2>, memref<8xi32, 2>) outs(%a : memref<8xi32, 2>)
    }
    air.herd @two tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
      linalg.add ins(%a, %a : memref<8xi32, 2>, memref<8xi32, 2>) outs(%a : memref<8xi32, 2>)
    }
  }
  return
}
