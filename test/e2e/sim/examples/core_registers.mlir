// Core control register, data memory by blockwrite and write32, and a lock by its register, all written by the runtime sequence.
module {
  aie.device(npu1_1col) {
    memref.global "private" constant @weights : memref<4xi32> = dense<[10, 20, 30, 40]>
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    %w = aie.buffer(%c) {sym_name = "w", address = 0x2000 : i32} : memref<4xi32>
    %o = aie.buffer(%c) {sym_name = "o", address = 0x2400 : i32} : memref<4xi32>
    %go = aie.lock(%c, 3) {init = 0 : i32, sym_name = "go"}
    %full = aie.lock(%c, 4) {init = 0 : i32, sym_name = "full"}
    aie.flow(%c, DMA : 0, %s, DMA : 0)
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      aie.use_lock(%go, AcquireGreaterEqual, 1)
      scf.for %i = %c0 to %c4 step %c1 {
        %v = memref.load %w[%i] : memref<4xi32>
        %i32 = arith.index_cast %i : index to i32
        %r = arith.addi %v, %i32 : i32
        memref.store %r, %o[%i] : memref<4xi32>
      }
      aie.use_lock(%full, Release, 1)
      aie.end
    }
    aie.mem(%c) {
      %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%full, AcquireGreaterEqual, 1)
      aie.dma_bd(%o : memref<4xi32>, 0, 4)
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.runtime_sequence(%y : memref<4xi32>) {
      %0 = memref.get_global @weights : memref<4xi32>
      aiex.npu.maskwrite32 {address = 0x32000 : ui32, column = 0 : i32, row = 2 : i32, mask = 1 : ui32, value = 1 : ui32}
      aiex.npu.blockwrite(%0) {address = 0x2000 : ui32, column = 0 : i32, row = 2 : i32} : memref<4xi32>
      aiex.npu.write32 {address = 1 : ui32, buffer = @w, value = 21 : ui32}
      aiex.npu.write32 {address = 0x1F030 : ui32, column = 0 : i32, row = 2 : i32, value = 1 : ui32}
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<4xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
