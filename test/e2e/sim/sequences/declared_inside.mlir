module {
  aie.device(npu1_1col) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    aie.flow(%tile_0_0, DMA : 0, %tile_0_1, DMA : 0)
    aie.flow(%tile_0_1, DMA : 0, %tile_0_2, DMA : 0)
    aie.flow(%tile_0_2, DMA : 0, %tile_0_1, DMA : 1)
    aie.flow(%tile_0_1, DMA : 1, %tile_0_0, DMA : 0)
    %in_l1 = aie.buffer(%tile_0_2) {sym_name = "in_l1"} : memref<16xi32>
    %in_prod = aie.lock(%tile_0_2, 0) {init = 1 : i32}
    %in_cons = aie.lock(%tile_0_2) {init = 0 : i32}
    %out_prod = aie.lock(%tile_0_2) {init = 1 : i32}
    %out_cons = aie.lock(%tile_0_2) {init = 0 : i32}
    %out_l1 = aie.buffer(%tile_0_2) {sym_name = "out_l1"} : memref<16xi32>
    %core = aie.core(%tile_0_2) {
      %table = aie.buffer(%tile_0_2) {sym_name = "table"} : memref<16xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c4 = arith.constant 4 : index
      scf.for %r = %c0 to %c4 step %c1 {
        %scratch = aie.buffer(%tile_0_2) {sym_name = "scratch"} : memref<16xi32>
        aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
        aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %c16 step %c1 {
          %a = memref.load %in_l1[%i] : memref<16xi32>
          %t = memref.load %table[%i] : memref<16xi32>
          %s = arith.addi %a, %t : i32
          memref.store %s, %scratch[%i] : memref<16xi32>
        }
        scf.for %i = %c0 to %c16 step %c1 {
          %s = memref.load %scratch[%i] : memref<16xi32>
          memref.store %s, %out_l1[%i] : memref<16xi32>
        }
        aie.use_lock(%in_prod, Release, 1)
        aie.use_lock(%out_cons, Release, 1)
      }
      aie.end
    }
    %mem = aie.mem(%tile_0_2) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^next)
    ^in:
      aie.use_lock(%in_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%in_l1 : memref<16xi32>, 0, 16)
      aie.use_lock(%in_cons, Release, 1)
      aie.next_bd ^in
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^out, ^end)
    ^out:
      aie.use_lock(%out_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%out_l1 : memref<16xi32>, 0, 16)
      aie.use_lock(%out_prod, Release, 1)
      aie.next_bd ^out
    ^end:
      aie.end
    }
    %memtile = aie.memtile_dma(%tile_0_1) {
      %l2_in = aie.buffer(%tile_0_1) {sym_name = "l2_in"} : memref<64xi32>
      %l2_out = aie.buffer(%tile_0_1) {sym_name = "l2_out"} : memref<64xi32>
      %p0 = aie.lock(%tile_0_1) {init = 1 : i32, sym_name = "l2_in_prod"}
      %c0 = aie.lock(%tile_0_1) {init = 0 : i32, sym_name = "l2_in_cons"}
      %p1 = aie.lock(%tile_0_1) {init = 1 : i32, sym_name = "l2_out_prod"}
      %c1 = aie.lock(%tile_0_1) {init = 0 : i32, sym_name = "l2_out_cons"}
      %0 = aie.dma(S2MM, 0) [{
        aie.use_lock(%p0, AcquireGreaterEqual, 1)
        aie.dma_bd(%l2_in : memref<64xi32>, 0, 64)
        aie.use_lock(%c0, Release, 1)
      }]
      %1 = aie.dma(MM2S, 0) [{
        aie.use_lock(%c0, AcquireGreaterEqual, 1)
        aie.dma_bd(%l2_in : memref<64xi32>, 0, 64)
        aie.use_lock(%p0, Release, 1)
      }]
      %2 = aie.dma(S2MM, 1) [{
        aie.use_lock(%p1, AcquireGreaterEqual, 1)
        aie.dma_bd(%l2_out : memref<64xi32>, 0, 64)
        aie.use_lock(%c1, Release, 1)
      }]
      %3 = aie.dma(MM2S, 1) [{
        aie.use_lock(%c1, AcquireGreaterEqual, 1)
        aie.dma_bd(%l2_out : memref<64xi32>, 0, 64)
        aie.use_lock(%p1, Release, 1)
      }]
      aie.end
    }
    aie.shim_dma_allocation @input(%tile_0_0, MM2S, 0)
    aie.shim_dma_allocation @output(%tile_0_0, S2MM, 0)
    aie.runtime_sequence(%in: memref<64xi32>, %out: memref<64xi32>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c64 = arith.constant 64 : i64
      aiex.npu.dma_memcpy_nd(%out[%c0, %c0, %c0, %c0][%c1, %c1, %c1, %c64][%c0, %c0, %c0, %c1]) {id = 1 : i64, metadata = @output} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%in[%c0, %c0, %c0, %c0][%c1, %c1, %c1, %c64][%c0, %c0, %c0, %c1]) {id = 0 : i64, metadata = @input} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @output}
      aiex.npu.rtp_write(@scratch, 0, 5)
    }
  }
}
