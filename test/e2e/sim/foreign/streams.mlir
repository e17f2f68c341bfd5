// Words straight from the shim into a core's stream port and back out of it, by aie.get_stream and aie.put_stream.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    aie.flow(%t00, DMA : 0, %t02, Core : 0)
    aie.flow(%t02, Core : 0, %t00, DMA : 1)
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c20 = arith.constant 20 : index
      %port = arith.constant 0 : i32
      %init = arith.constant 0 : i32
      %last = scf.for %i = %c0 to %c20 step %c1 iter_args(%sum = %init) -> (i32) {
        %v = aie.get_stream(%port : i32) : i32
        %s = arith.addi %sum, %v : i32
        aie.put_stream(%port : i32, %s : i32)
        scf.yield %s : i32
      }
      aie.end
    }
    aie.shim_dma_allocation @x(%t00, MM2S, 0)
    aie.shim_dma_allocation @y(%t00, S2MM, 1)
    aie.runtime_sequence(%a : memref<20xi32>, %b : memref<20xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 20][0, 0, 0, 1]) {id = 0 : i64, metadata = @x} : memref<20xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 20][0, 0, 0, 1]) {id = 1 : i64, metadata = @y, issue_token = true} : memref<20xi32>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
