// The memtile sends each object of 2 x 4 words three times, with a row of zeros above and four zeros behind each row.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %mem_tile_0_1 = aie.tile(0, 1)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<2x4xi32>>
    aie.objectfifo @padded(%mem_tile_0_1 dimensionsToStream [<size = 2, stride = 4>, <size = 4, stride = 1>] padDimensions [<const_pad_before = 1, const_pad_after = 0>, <const_pad_before = 0, const_pad_after = 4>], {%shim_noc_tile_0_0}, 2 : i32) {repeat_count = 3 : i32} : !aie.objectfifo<memref<3x8xi32>>
    aie.objectfifo.link [@in] -> [@padded]([] [])
    aie.runtime_sequence(%a: memref<32xi32>, %b: memref<288xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 288][0, 0, 0, 1]) {id = 0 : i64, metadata = @padded} : memref<288xi32>
      aiex.npu.dma_wait {symbol = @padded}
    }
  }
}
