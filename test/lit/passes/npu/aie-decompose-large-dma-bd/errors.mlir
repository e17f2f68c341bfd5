// RUN: allo-opt %s --aie-decompose-large-dma-bd --verify-diagnostics

aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @seq(%a : memref<*xi32>) {
    // expected-error@below {{needs 20 BDs, and 15 of the shim are left that no transfer of the sequence uses}}
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 20011, 2][0, 0, 4, 1]) {id = 0 : i64, metadata = @in} : memref<*xi32>
  }
}
