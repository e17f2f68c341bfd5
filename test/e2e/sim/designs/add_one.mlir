// Adds 1 to 64 x i32 in tiles of 8, in place in the core's buffer; `aie.dma` regions, no lock ids.
module {
  aie.device(npu1_1col) @add_one {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %buf = aie.buffer(%t02) {sym_name = "work"} : memref<8xi32>
    %l2 = aie.buffer(%t01) {sym_name = "staging"} : memref<16xi32>
    %empty = aie.lock(%t02) {init = 1 : i32, sym_name = "empty"}
    %filled = aie.lock(%t02) {sym_name = "filled"}
    %done = aie.lock(%t02) {sym_name = "done"}
    %l2_free = aie.lock(%t01, 7) {init = 1 : i32, sym_name = "l2_free"}
    %l2_full = aie.lock(%t01, 9) {init = 0 : i32, sym_name = "l2_full"}
    aie.flow(%t00, DMA : 1, %t01, DMA : 3)
    aie.flow(%t01, DMA : 5, %t02, DMA : 1)
    aie.flow(%t02, DMA : 1, %t00, DMA : 1)

    %dma01 = aie.memtile_dma(%t01) {
      %in = aie.dma(S2MM, 3) [{
        aie.use_lock(%l2_free, AcquireGreaterEqual, 1)
        aie.dma_bd(%l2 : memref<16xi32>) {bd_id = 30 : i32}
        aie.use_lock(%l2_full, Release, 1)
      }]
      %out = aie.dma(MM2S, 5) {sym_name = "to_core"} [{
        aie.use_lock(%l2_full, AcquireGreaterEqual, 1)
        aie.dma_bd(%l2 : memref<16xi32>, 0, 16)
        aie.use_lock(%l2_free, Release, 1)
      }]
      aie.end
    }

    %mem02 = aie.mem(%t02) {
      %in = aie.dma(S2MM, 1) [{
        aie.use_lock(%empty, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf : memref<8xi32>, 0, 8)
        aie.use_lock(%filled, Release, 1)
      }]
      %out = aie.dma(MM2S, 1) [{
        aie.use_lock(%done, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf : memref<8xi32>, 0, 8)
        aie.use_lock(%empty, Release, 1)
      }]
      aie.end
    }

    %core02 = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %one = arith.constant 1 : i32
      %max = arith.constant 9223372036854775807 : index
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%filled, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %c8 step %c1 {
          %v = memref.load %buf[%i] : memref<8xi32>
          %s = arith.addi %v, %one : i32
          memref.store %s, %buf[%i] : memref<8xi32>
        }
        aie.use_lock(%done, Release, 1)
      }
      aie.end
    } {stack_size = 2048 : i32}

    aie.shim_dma_allocation @objFifo_in0 (%t00, MM2S, 1)
    aie.shim_dma_allocation @objFifo_out0 (%t00, S2MM, 1)
    aiex.runtime_sequence @run(%in : memref<64xi32>, %unused : memref<32xi32>, %out : memref<64xi32>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c64 = arith.constant 64 : i64
      aiex.npu.dma_memcpy_nd(0, 0, %out[%c0, %c0, %c0, %c0][%c1, %c1, %c1, %c64][%c0, %c0, %c0, %c1]) {id = 1 : i64, metadata = @objFifo_out0} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(0, 0, %in[%c0, %c0, %c0, %c0][%c1, %c1, %c1, %c64][%c0, %c0, %c0, %c1]) {id = 0 : i64, metadata = @objFifo_in0} : memref<64xi32>
      aiex.npu.sync {channel = 1 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
    }
  }
}
