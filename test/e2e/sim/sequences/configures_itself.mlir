// A device that configures itself: its core starts anew each time, its memory keeps what has no initial value.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %total = aie.buffer(%t02) {sym_name = "total", address = 8192 : i32} : memref<8xi32>
    %x = aie.buffer(%t02) {sym_name = "x"} : memref<8xi32>
    %offset = aie.buffer(%t02) {sym_name = "offset"} : memref<1xi32> = dense<100>
    %p = aie.lock(%t02, 0) {init = 1 : i32}
    %c = aie.lock(%t02, 1) {init = 0 : i32}
    %done = aie.lock(%t02, 2) {init = 0 : i32}
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      %o = memref.load %offset[%c0] : memref<1xi32>
      %zero = arith.constant 0 : i32
      memref.store %zero, %offset[%c0] : memref<1xi32>
      scf.for %i = %c0 to %c8 step %c1 {
        %v = memref.load %x[%i] : memref<8xi32>
        %t = memref.load %total[%i] : memref<8xi32>
        %s = arith.addi %v, %t : i32
        %w = arith.addi %s, %o : i32
        memref.store %w, %total[%i] : memref<8xi32>
      }
      aie.use_lock(%done, Release, 1)
      aie.end
    }
    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%x : memref<8xi32>, 0, 8)
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%done, AcquireGreaterEqual, 1)
      aie.dma_bd(%total : memref<8xi32>, 0, 8)
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence @once(%a : memref<8xi32>, %b : memref<8xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<8xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<8xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
    aie.runtime_sequence @thrice(%a : memref<8xi32>, %b : memref<8xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      scf.for %i = %c0 to %c1 step %c1 {
        aiex.npu.rtp_write(@total, 0, 0)
        aiex.npu.rtp_write(@total, 1, 0)
        aiex.npu.rtp_write(@total, 2, 0)
        aiex.npu.rtp_write(@total, 3, 0)
        aiex.npu.rtp_write(@total, 4, 0)
        aiex.npu.rtp_write(@total, 5, 0)
        aiex.npu.rtp_write(@total, 6, 0)
        aiex.npu.rtp_write(@total, 7, 0)
      }
      scf.for %i = %c0 to %c3 step %c1 {
        aiex.configure @main {
          aiex.run @once(%a, %b) : (memref<8xi32>, memref<8xi32>)
        }
      }
    }
  }
}
