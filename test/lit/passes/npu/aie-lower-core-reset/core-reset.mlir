// RUN: allo-opt %s --aie-lower-core-reset | filecheck %s

// Only cores are reset; channels stay as they are.
// CHECK-LABEL: aie.runtime_sequence @seq
// CHECK: aiex.npu.maskwrite32(%c2301952_i32, %c2_i32, %c2_i32) : i32, i32, i32
// CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT: aiex.npu.maskwrite32(%c2301952_i32, %c0_i32, %c2_i32) : i32, i32, i32
// CHECK-NEXT: aiex.dma_channel_reset(
aie.device(npu2) {
  %t = aie.tile(0, 2)
  aie.runtime_sequence @seq() {
    aiex.core_reset(%t)
    aiex.dma_channel_reset(%t, S2MM, 0)
  }
}
