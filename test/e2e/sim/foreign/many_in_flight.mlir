// Sixteen transfers by a loop unrolled by hand: four in flight a channel, waited for in order, BD numbers used again, iteration and repeats.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    aie.objectfifo @in(%t00, {%t01}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @out(%t01, {%t00}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo.link [@in] -> [@out]([] [])
    aie.runtime_sequence @seq(%a : memref<8x2x4x8xi32>, %b : memref<8x2x4x8xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][2, 1, 4, 8][32, 0, 8, 1]) {id = 8 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][4, 1, 2, 8][8, 0, 32, 1]) {id = 0 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 64][2, 1, 4, 8][32, 0, 8, 1]) {id = 10 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 64][4, 1, 2, 8][8, 0, 32, 1]) {id = 2 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 128][2, 1, 4, 8][32, 0, 8, 1]) {id = 12 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 128][4, 1, 2, 8][8, 0, 32, 1]) {id = 4 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 192][2, 1, 4, 8][32, 0, 8, 1]) {id = 14 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 192][4, 1, 2, 8][8, 0, 32, 1]) {id = 6 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 256][2, 1, 4, 8][32, 0, 8, 1]) {id = 8 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 256][4, 1, 2, 8][8, 0, 32, 1]) {id = 0 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 320][2, 1, 4, 8][32, 0, 8, 1]) {id = 10 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 320][4, 1, 2, 8][8, 0, 32, 1]) {id = 2 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 384][2, 1, 4, 8][32, 0, 8, 1]) {id = 12 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 384][4, 1, 2, 8][8, 0, 32, 1]) {id = 4 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 448][2, 1, 4, 8][32, 0, 8, 1]) {id = 14 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 448][4, 1, 2, 8][8, 0, 32, 1]) {id = 6 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
    }
    // The same arrays the other way round, in one transfer.
    aie.runtime_sequence @back(%a : memref<8x2x4x8xi32>, %b : memref<8x2x4x8xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 64, 8][0, 0, 8, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_memcpy_nd(%b[7, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @in, issue_token = true} : memref<8x2x4x8xi32>
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 7, 64][0, 0, 64, 1]) {id = 1 : i64, metadata = @in} : memref<8x2x4x8xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
