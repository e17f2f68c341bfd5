// Runtime parameters of a core and of a memtile, which take them when the sequence sets their locks.
module {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %mem = aie.tile(0, 1)
    %tile = aie.tile(0, 2)
    %rtp = aie.buffer(%tile) {sym_name = "rtp"} : memref<4xi32>
    %mrtp = aie.buffer(%mem) {sym_name = "mrtp"} : memref<4xi32>
    %ready = aie.lock(%tile, 5) {init = 0 : i32, sym_name = "ready"}
    aie.objectfifo @out(%tile, {%shim}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.flow(%mem, DMA : 0, %shim, DMA : 1)
    %ml = aie.lock(%mem, 0) {init = 0 : i32, sym_name = "ml"}
    aie.memtile_dma(%mem) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%ml, AcquireGreaterEqual, 1)
      aie.dma_bd(%mrtp : memref<4xi32>, 0, 4)
      aie.next_bd ^bb2
    ^bb2:
      aie.end
    }
    aie.core(%tile) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      aie.use_lock(%ready, AcquireGreaterEqual, 1)
      %b = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
      %y = aie.objectfifo.subview.access %b[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      scf.for %i = %c0 to %c4 step %c1 {
        %v = memref.load %rtp[%i] : memref<4xi32>
        memref.store %v, %y[%i] : memref<4xi32>
      }
      aie.objectfifo.release @out(Produce, 1)
      aie.end
    }
    aie.shim_dma_allocation @mout(%shim, S2MM, 1)
    aie.runtime_sequence @seq(%c: memref<4xi32>, %d: memref<4xi32>) {
      aiex.npu.rtp_write(@rtp, 0, 50)
      aiex.npu.rtp_write(@rtp, 1, -3)
      aiex.npu.rtp_write(@rtp, 2, 7)
      aiex.npu.rtp_write(@rtp, 3, 9)
      aiex.npu.write32 {address = 0 : ui32, buffer = @mrtp, value = 11 : ui32}
      aiex.npu.rtp_write(@mrtp, 1, 12)
      aiex.npu.rtp_write(@mrtp, 2, 13)
      aiex.npu.rtp_write(@mrtp, 3, 14)
      aiex.set_lock(%ready, 1)
      aiex.set_lock(%ml, 1)
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<4xi32>
      aiex.npu.dma_memcpy_nd(%d[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 2 : i64, issue_token = true, metadata = @mout} : memref<4xi32>
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_wait {symbol = @mout}
    }
  }
}
