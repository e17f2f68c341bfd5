// A core ends after one round. Control packets give it new parameters, reset and enable it, and it runs from its beginning again.
module {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %tile = aie.tile(0, 2)
    %rtp = aie.buffer(%tile) {address = 1024 : i32, sym_name = "rtp"} : memref<1xi32> = dense<10>
    %out = aie.buffer(%tile) {address = 2048 : i32, sym_name = "out"} : memref<4xi32>
    %free = aie.lock(%tile, 0) {init = 1 : i32, sym_name = "free"}
    %full = aie.lock(%tile, 1) {init = 0 : i32, sym_name = "full"}
    aie.flow(%tile, DMA : 0, %shim, DMA : 0)
    aie.core(%tile) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      aie.use_lock(%free, AcquireGreaterEqual, 1)
      %x = memref.load %rtp[%c0] : memref<1xi32>
      scf.for %i = %c0 to %c4 step %c1 {
        %n = arith.index_cast %i : index to i32
        %y = arith.addi %x, %n : i32
        memref.store %y, %out[%i] : memref<4xi32>
      }
      aie.use_lock(%full, Release, 1)
      aie.end
    }
    aie.mem(%tile) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%full, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<4xi32>, 0, 4)
      aie.use_lock(%free, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      aie.end
    }
    aie.shim_dma_allocation @out_shim(%shim, S2MM, 0)
    aie.runtime_sequence @seq(%c: memref<8xi32>) {
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out_shim} : memref<8xi32>
      aiex.npu.dma_wait {symbol = @out_shim}
      aiex.control_packet {address = 2098176 : ui32, data = array<i32: 200>, opcode = 0 : i32, stream_id = 0 : i32}
      aiex.control_packet {address = 2301952 : ui32, data = array<i32: 2>, opcode = 0 : i32, stream_id = 0 : i32}
      aiex.control_packet {address = 2301952 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 4][1, 1, 1, 4][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out_shim} : memref<8xi32>
      aiex.npu.dma_wait {symbol = @out_shim}
    }
  }
}
