// RUN: allo-opt %s --split-input-file --check-level=level=npu --verify-diagnostics

// Computation belongs into the device; a library function's declaration does not.
func.func private @kernel(memref<8xi32>)
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<8xi32>
  %c = aie.core(%t) {
    %c1 = arith.constant 1 : i32
    linalg.fill ins(%c1 : i32) outs(%b : memref<8xi32>)
    aie.end
  }
}

// -----

func.func @host(%m: memref<8xi32>) {
  %c1 = arith.constant 1 : i32
  // expected-error@+1 {{'linalg.fill' op is not legal at level 'npu' outside of aie.device}}
  linalg.fill ins(%c1 : i32) outs(%m : memref<8xi32>)
  return
}

// -----

// expected-error@+1 {{'airrt.wait_all' op is not legal at level 'npu'}}
func.func @control() { airrt.wait_all return }
