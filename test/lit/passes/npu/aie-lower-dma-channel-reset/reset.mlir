// RUN: allo-opt %s --aie-lower-dma-channel-reset --aie-lower-core-reset | filecheck %s
// RUN: allo-opt %s --aie-lower-dma-channel-reset --aie-lower-core-reset --aie-dma-to-npu --aie-lower-set-lock | allo-translate --aie-npu-to-binary --hex -o %t.passes
// RUN: allo-translate --aie-npu-to-binary --hex %s -o %t.words
// RUN: diff %t.passes %t.words

// Core tiles: 0x1DE00 and 8 bytes more for each channel of S2MM, 0x1DE10 of MM2S; memtiles: 0xA0600 and 0xA0630.
// CHECK: %[[CORE:.*]] = arith.constant 2219528 : i32
// CHECK: aiex.npu.maskwrite32(%[[CORE]], %c2_i32, %c2_i32)
// CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT: aiex.npu.maskwrite32(%[[CORE]], %c0_i32, %c2_i32)
// CHECK-NEXT: %[[OUT:.*]] = arith.constant 2219536 : i32
// CHECK-NEXT: aiex.npu.maskwrite32(%[[OUT]], %c2_i32, %c2_i32)
// CHECK-NEXT: aiex.npu.maskwrite32(%[[OUT]], %c0_i32, %c2_i32)
// CHECK-NEXT: %[[MEM:.*]] = arith.constant 1705512 : i32
// CHECK-NEXT: aiex.npu.maskwrite32(%[[MEM]], %c2_i32, %c2_i32)
// CHECK-NEXT: aiex.npu.maskwrite32(%[[MEM]], %c0_i32, %c2_i32)
// CHECK-NEXT: %[[MEMOUT:.*]] = arith.constant 1705520 : i32
// CHECK-NEXT: aiex.npu.maskwrite32(%[[MEMOUT]], %c2_i32, %c2_i32)
// CHECK-NEXT: aiex.npu.maskwrite32(%[[MEMOUT]], %c0_i32, %c2_i32)
// CHECK-NEXT: %[[CONTROL:.*]] = arith.constant 2301952 : i32
// CHECK-NEXT: aiex.npu.maskwrite32(%[[CONTROL]], %c2_i32, %c2_i32)
// CHECK-NEXT: aiex.npu.maskwrite32(%[[CONTROL]], %c0_i32, %c2_i32)
// CHECK-NEXT: aiex.npu.maskwrite32(%[[CORE]], %c2_i32, %c2_i32)
// CHECK-NEXT: aiex.npu.maskwrite32(%[[CORE]], %c0_i32, %c2_i32)
// CHECK-NEXT: aiex.set_lock(%p, 2)
// CHECK-NEXT: aiex.set_lock(%c, 0)
// CHECK: aiex.npu.push_queue(0, 2, S2MM : 1) bd_id %c5_i32 repeat %c3_i32 {issue_token = false} : i32, i32
// CHECK-NEXT: }
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %t = aie.tile(0, 2)
    %p = aie.lock(%t, 0) {init = 2 : i32, sym_name = "p"}
    %c = aie.lock(%t, 1) {init = 0 : i32, sym_name = "c"}
    aie.objectfifo_rearm_binding @of_rearm channels(%s, %t : index, index) locks(%p, %c : index, index) {channel_dirs = array<i32: 1, 0>, channel_indices = array<i32: 0, 1>, head_bd_ids = array<i32: -1, 5>, lock_inits = array<i32: 2, 0>, repeat_counts = array<i32: 0, 3>}
    aie.runtime_sequence @seq() {
      aiex.dma_channel_reset(%t, S2MM, 1)
      aiex.dma_channel_reset(%t, MM2S, 0)
      aiex.dma_channel_reset(%m, S2MM, 5)
      aiex.dma_channel_reset(%m, MM2S, 0)
      aiex.core_reset(%t)
      aiex.dma_channel_reset_for(@of_rearm)
    }
  }
}
