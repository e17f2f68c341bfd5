// RUN: allo-opt %s --aie-unroll-runtime-sequence-loops --split-input-file --verify-diagnostics

aie.device(npu1) {
  aie.runtime_sequence @step() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{has step 0; expected a positive one}}
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

