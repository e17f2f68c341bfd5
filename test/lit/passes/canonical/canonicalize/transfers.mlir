// RUN: allo-opt %s --canonicalize | filecheck %s
// RUN: allo-opt %s --canonicalize --syntax=2026-03 | filecheck %s --check-prefix=MARCH

// Lists that go from one element to the next are linear: three dimensions are one, and their offsets are one.
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][2, 1, 1, 512][512, 0, 0, 1]) {id = 0
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[1, 0, 0, 163][2, 1, 1, 512][1024, 0, 0, 1]) {id = 1
// Lists with gaps, of values, with padding, and those that are linear already, stay.
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][2, 4, 8, 16][512, 128, 32, 1]) {id = 2
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, %arg1][2, 4, 8, 16][512, 128, 16, 1]) {id = 3
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 4, 8, 16][0, 128, 16, 1]) {d0_zero_before = 1
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 5
// BDs of shims lose such lists; where the length is that of a part, the rest is an iteration.
// CHECK: aie.dma_bd(%arg0 : memref<8192xi32> offset = 16 len = 512)
// CHECK: aie.dma_bd(%arg0 : memref<8192xi32> offset = 0 len = 128 sizes = [4, 8, 16] strides = [128, 16, 1])
// CHECK: aie.dma_bd(%b : memref<64xi32> offset = 0 len = 64 sizes = [8, 8] strides = [8, 1])
// MARCH: aie.dma_bd(%arg0 : memref<8192xi32>, 16, 512)
aie.device(npu2) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) {sym_name = "b"} : memref<64xi32>
  aie.shim_dma_allocation @a(%s, MM2S, 0)
  aie.runtime_sequence(%a: memref<8192xi32>, %n: i64) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][2, 4, 8, 16][512, 128, 16, 1]) {id = 0 : i64, metadata = @a} : memref<8192xi32>
    aiex.npu.dma_memcpy_nd(%a[1, 1, 2, 3][2, 4, 8, 16][1024, 128, 16, 1]) {id = 1 : i64, metadata = @a} : memref<8192xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][2, 4, 8, 16][512, 128, 32, 1]) {id = 2 : i64, metadata = @a} : memref<8192xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, %n][2, 4, 8, 16][512, 128, 16, 1]) {id = 3 : i64, metadata = @a} : memref<8192xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 4, 8, 16][0, 128, 16, 1]) {id = 4 : i64, metadata = @a, d0_zero_before = 1 : i64} : memref<8192xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 5 : i64, metadata = @a} : memref<8192xi32>
    %0 = aiex.dma_configure_task_for @a {
      aie.dma_bd(%a : memref<8192xi32> offset = 16 len = 512 sizes = [4, 8, 16] strides = [128, 16, 1])
      aie.end
    }
    %1 = aiex.dma_configure_task(%s, MM2S, 0) {
      aie.dma_bd(%a : memref<8192xi32> offset = 0 len = 128 sizes = [4, 8, 16] strides = [128, 16, 1])
      aie.end
    }
    %2 = aiex.dma_configure_task(%m, MM2S, 0) {
      aie.dma_bd(%b : memref<64xi32> offset = 0 len = 64 sizes = [8, 8] strides = [8, 1])
      aie.end
    }
    aiex.dma_start_task(%0)
    aiex.dma_start_task(%1)
    aiex.dma_start_task(%2)
  }
}
