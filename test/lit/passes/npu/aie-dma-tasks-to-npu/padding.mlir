// RUN: allo-opt %s --aie-dma-tasks-to-npu | filecheck %s
// RUN: sed 's/len = 42/len = 16/' %s | not allo-opt --aie-dma-tasks-to-npu 2>&1 | filecheck %s --check-prefix=LENGTH
// RUN: sed 's/const_pad_after = 2/const_pad_after = 32/' %s | not allo-opt --aie-dma-tasks-to-npu 2>&1 | filecheck %s --check-prefix=FIELD
// RUN: sed 's/(%m/(%core/' %s | not allo-opt --aie-dma-tasks-to-npu 2>&1 | filecheck %s --check-prefix=CORE
// RUN: sed 's/MM2S/S2MM/' %s | not allo-opt --aie-dma-tasks-to-npu 2>&1 | filecheck %s --check-prefix=RECEIVES
// RUN: sed 's/sizes = .4, 4. strides = .4, 1./sizes = [1, 4, 4] strides = [16, 4, 1]/; s/pad ./pad [<const_pad_before = 1, const_pad_after = 0>, /; s/len = 42/len = 84/' %s | not allo-opt --aie-dma-tasks-to-npu 2>&1 | filecheck %s --check-prefix=THIRD

// A memtile's BD in a task pads its two innermost dimensions; its length counts what is padded.

// LENGTH: does not match length of transfer expressed by lowest three dimensions of data layout transformation strides/wraps: 16 elements, and these come to 42
// FIELD: pads dimension 1, counted from the innermost, by 32; at most 31 fit its field
// CORE: Padding is only supported by memtile dma bds. Found it in a core tile
// RECEIVES: pads what an S2MM channel receives; only MM2S channels send zeros
// THIRD: pads dimension 2, counted from the innermost; a task's BD pads the 2 innermost
// CHECK: buffer_length = 42
// CHECK-SAME: d0_size = 4
// CHECK-SAME: d0_zero_after = 1
// CHECK-SAME: d0_zero_before = 1
// CHECK-SAME: d1_zero_after = 2
// CHECK-SAME: d1_zero_before = 1
aie.device(npu2) {
  %m = aie.tile(0, 1)
  %core = aie.tile(0, 2)
  %b = aie.buffer(%m) {address = 1024 : i32, sym_name = "b"} : memref<16xi32>
  aie.runtime_sequence @seq() {
    %0 = aiex.dma_configure_task(%m, MM2S, 0) {
      aie.dma_bd(%b : memref<16xi32> offset = 0 len = 42 sizes = [4, 4] strides = [4, 1] pad [<const_pad_before = 1, const_pad_after = 2>, <const_pad_before = 1, const_pad_after = 1>])
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
