// RUN: allo-opt --syntax=2026-03 %s --aie-dma-to-npu | filecheck %s

// The eight words of a known answer (docs/sources.md#npu-instructions), the address, the queue with four repeats, the wait.

// CHECK: memref.global "private" constant @[[D:.*]] : memref<8xi32> = dense<[2048, 0, 0, 33554432, -2113929153, 33556479, 3145728, 33554432]>
// CHECK: %[[V:.*]] = memref.get_global @[[D]] : memref<8xi32>
// CHECK: aiex.npu.blockwrite(%[[V]]) {address = 118784 : ui32} : memref<8xi32>
// CHECK: aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 1 : i32, arg_plus = 0 : i32}
// CHECK: aiex.npu.write32 {address = 119308 : ui32, value = 2147680256 : ui32}
// CHECK: aiex.npu.sync {channel = 1 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
aie.device(npu1) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %lock = aie.lock(%t, 3)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.runtime_sequence(%a: memref<8xi32>, %b: memref<4x4096xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][4, 2, 32, 32][1, 2048, 64, 1]) {id = 0 : i64, metadata = @out} : memref<4x4096xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
