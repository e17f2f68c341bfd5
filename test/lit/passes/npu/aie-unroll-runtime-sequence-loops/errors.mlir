// RUN: allo-opt %s --aie-unroll-runtime-sequence-loops --split-input-file --verify-diagnostics

aie.device(npu1) {
  aie.runtime_sequence @bound(%a: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %a, %c0 : memref<?xi32>
    // expected-error@+1 {{has an upper bound that is not constant; a runtime sequence is written out as words}}
    scf.for %i = %c0 to %n step %c1 {
      aiex.npu.write32 {address = 4 : ui32, value = 1 : ui32}
    }
  }
}

// -----

aie.device(npu1) {
  aie.runtime_sequence @step() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{has step 0; wanted a positive one}}
    scf.for %i = %c0 to %c1 step %c0 {
      aiex.npu.write32 {address = 4 : ui32, value = 1 : ui32}
    }
  }
}

// -----

aie.device(npu1) {
  aie.runtime_sequence @long() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = arith.constant 1000000 : index
    // expected-error@+1 {{unrolls to more than 262144 operations; repeat or chain BDs instead}}
    scf.for %i = %c0 to %many step %c1 {
      aiex.npu.write32 {address = 4 : ui32, value = 1 : ui32}
    }
  }
}

// -----

aie.device(npu1) {
  aie.runtime_sequence @branch(%a: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %n = memref.dim %a, %c0 : memref<?xi32>
    %one = arith.cmpi eq, %n, %c0 : index
    // expected-error@+1 {{has a condition that is not constant}}
    scf.if %one {
      aiex.npu.write32 {address = 4 : ui32, value = 1 : ui32}
    }
  }
}
