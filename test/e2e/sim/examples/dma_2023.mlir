// August 2023: dialect names in capitals, DMA programs by hand, BDs in angle brackets, transfers with the types of all operands.
module @test {
  AIE.device(ipu) {
    %tile_0_0 = AIE.tile(0, 0)
    %tile_0_2 = AIE.tile(0, 2)
    %objFifo_in1_cons_buff_0 = AIE.buffer(%tile_0_2) {sym_name = "objFifo_in1_cons_buff_0"} : memref<8xi32>
    %objFifo_out1_buff_0 = AIE.buffer(%tile_0_2) {sym_name = "objFifo_out1_buff_0"} : memref<8xi32>
    %lip = AIE.lock(%tile_0_2, 0) {init = 1 : i32, sym_name = "lip"}
    %lic = AIE.lock(%tile_0_2, 1) {init = 0 : i32, sym_name = "lic"}
    %lop = AIE.lock(%tile_0_2, 2) {init = 1 : i32, sym_name = "lop"}
    %loc = AIE.lock(%tile_0_2, 3) {init = 0 : i32, sym_name = "loc"}
    AIE.flow(%tile_0_0, DMA : 0, %tile_0_2, DMA : 0)
    AIE.flow(%tile_0_2, DMA : 0, %tile_0_0, DMA : 0)
    %core_0_2 = AIE.core(%tile_0_2) {
      %c8 = arith.constant 8 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c41_i32 = arith.constant 41 : i32
      scf.for %arg0 = %c0 to %c8 step %c1 {
        AIE.useLock(%lic, AcquireGreaterEqual, 1)
        AIE.useLock(%lop, AcquireGreaterEqual, 1)
        scf.for %arg1 = %c0 to %c8 step %c1 {
          %0 = memref.load %objFifo_in1_cons_buff_0[%arg1] : memref<8xi32>
          %1 = arith.addi %0, %c41_i32 : i32
          memref.store %1, %objFifo_out1_buff_0[%arg1] : memref<8xi32>
        }
        AIE.useLock(%lip, Release, 1)
        AIE.useLock(%loc, Release, 1)
      }
      AIE.end
    }
    AIE.shimDMAAllocation @objFifo_in0(MM2S, 0, 0)
    AIE.shimDMAAllocation @objFifo_out0(S2MM, 0, 0)
    memref.global "public" @objFifo_in0 : memref<8xi32>
    memref.global "public" @objFifo_out0 : memref<8xi32>
    func.func @sequence(%arg0: memref<64xi32>, %arg1: memref<32xi32>, %arg2: memref<64xi32>) {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %c64_i32 = arith.constant 64 : i32
      AIEX.ipu.dma_memcpy_nd(%c0_i32, %c0_i32, %arg2[%c0_i32, %c0_i32, %c0_i32, %c0_i32] [%c1_i32, %c1_i32, %c1_i32, %c64_i32] [%c0_i32, %c0_i32, %c0_i32]) {id = 1 : i32, metadata = @objFifo_out0} : (i32, i32, memref<64xi32>, [i32, i32, i32, i32], [i32, i32, i32, i32], [i32, i32, i32])
      AIEX.ipu.dma_memcpy_nd(%c0_i32, %c0_i32, %arg0[%c0_i32, %c0_i32, %c0_i32, %c0_i32] [%c1_i32, %c1_i32, %c1_i32, %c64_i32] [%c0_i32, %c0_i32, %c0_i32]) {id = 0 : i32, metadata = @objFifo_in0} : (i32, i32, memref<64xi32>, [i32, i32, i32, i32], [i32, i32, i32, i32], [i32, i32, i32])
      AIEX.ipu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
      return
    }
    %mem_0_2 = AIE.mem(%tile_0_2) {
      %0 = AIE.dmaStart(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      AIE.useLock(%lip, AcquireGreaterEqual, 1)
      AIE.dmaBd(<%objFifo_in1_cons_buff_0 : memref<8xi32>, 0, 8>, 0)
      AIE.useLock(%lic, Release, 1)
      AIE.nextBd ^bb1
    ^bb2:
      %1 = AIE.dmaStart(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      AIE.useLock(%loc, AcquireGreaterEqual, 1)
      AIE.dmaBd(<%objFifo_out1_buff_0 : memref<8xi32>, 0, 8>, 0)
      AIE.useLock(%lop, Release, 1)
      AIE.nextBd ^bb3
    ^bb4:
      AIE.end
    }
  }
}
