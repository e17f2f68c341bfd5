// RUN: allo-opt %s --aie-materialize-runtime-sequences --verify-diagnostics

aie.device(npu1) @dev {
  aie.runtime_sequence @one(%a: memref<64xi32>) {
    aiex.configure @dev {
      // expected-error@below {{runs @dev::@one inside of itself (@dev::@one > @dev::@one)}}
      aiex.run @one(%a) : (memref<64xi32>)
    }
  }
}
