// RUN: allo-opt --syntax=2026-03 %s --aie-lower-set-lock | filecheck %s

// Lock 3 of column 0, row 2: 2 * 2^20 + 0x1F000 + 3 * 16.

// CHECK-NOT: set_lock
// CHECK: aiex.npu.write32 {address = 2224176 : ui32, value = 1 : ui32}
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 3)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.runtime_sequence(%a: memref<8xi32>) {
    aiex.set_lock(%lock, 1)
  }
}
