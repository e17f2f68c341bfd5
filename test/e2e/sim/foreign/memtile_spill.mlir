// Three pairs of objects of 100 KiB meet in memtile (1, 1), which holds 512 KiB: one object goes to a memtile beside it.
module {
  aie.device(npu1) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %shim_noc_tile_1_0 = aie.tile(1, 0)
    %shim_noc_tile_2_0 = aie.tile(2, 0)
    %mem_tile_1_1 = aie.tile(1, 1)
    aie.objectfifo @in0(%shim_noc_tile_0_0, {%mem_tile_1_1}, 2 : i32) : !aie.objectfifo<memref<25600xi32>>
    aie.objectfifo @in1(%shim_noc_tile_1_0, {%mem_tile_1_1}, 2 : i32) : !aie.objectfifo<memref<25600xi32>>
    aie.objectfifo @in2(%shim_noc_tile_2_0, {%mem_tile_1_1}, 2 : i32) : !aie.objectfifo<memref<25600xi32>>
    aie.objectfifo @out0(%mem_tile_1_1 dimensionsToStream [<size = 100, stride = 1>, <size = 256, stride = 100>], {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<25600xi32>>
    aie.objectfifo @out1(%mem_tile_1_1, {%shim_noc_tile_1_0}, 2 : i32) : !aie.objectfifo<memref<25600xi32>>
    aie.objectfifo @out2(%mem_tile_1_1, {%shim_noc_tile_2_0}, 2 : i32) : !aie.objectfifo<memref<25600xi32>>
    aie.objectfifo.link [@in0] -> [@out0]([] [])
    aie.objectfifo.link [@in1] -> [@out1]([] [])
    aie.objectfifo.link [@in2] -> [@out2]([] [])
    aie.runtime_sequence @sequence(%a: memref<6x25600xi32>, %b: memref<6x25600xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 51200][0, 0, 0, 1]) {id = 0 : i64, metadata = @in0} : memref<6x25600xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 2, 0][1, 1, 2, 25600][0, 0, 25600, 1]) {id = 0 : i64, metadata = @in1} : memref<6x25600xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 4, 0][1, 1, 2, 25600][0, 0, 25600, 1]) {id = 0 : i64, metadata = @in2} : memref<6x25600xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 51200][0, 0, 0, 1]) {id = 1 : i64, metadata = @out0, issue_token = true} : memref<6x25600xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 2, 0][1, 1, 2, 25600][0, 0, 25600, 1]) {id = 1 : i64, metadata = @out1, issue_token = true} : memref<6x25600xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 4, 0][1, 1, 2, 25600][0, 0, 25600, 1]) {id = 1 : i64, metadata = @out2, issue_token = true} : memref<6x25600xi32>
      aiex.npu.dma_wait {symbol = @out0}
      aiex.npu.dma_wait {symbol = @out1}
      aiex.npu.dma_wait {symbol = @out2}
    }
  }
}
