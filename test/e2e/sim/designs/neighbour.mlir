// Core (1, 2) takes what core (0, 2) leaves in its own memory, the west neighbour of the former, and its locks.
module {
  aie.device(npu1_2col) {
    %t00 = aie.tile(0, 0)
    %t10 = aie.tile(1, 0)
    %t02 = aie.tile(0, 2)
    %t12 = aie.tile(1, 2)
    %in = aie.buffer(%t02) {sym_name = "west_in"} : memref<32xi32>
    %mid = aie.buffer(%t02) {sym_name = "west_mid"} : memref<32xi32>
    %out = aie.buffer(%t12) {sym_name = "own_out"} : memref<32xi32>
    %ip = aie.lock(%t02, 0) {init = 1 : i32, sym_name = "in_prod"}
    %ic = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "in_cons"}
    %mp = aie.lock(%t02, 2) {init = 1 : i32, sym_name = "mid_prod"}
    %mc = aie.lock(%t02, 3) {init = 0 : i32, sym_name = "mid_cons"}
    %op = aie.lock(%t12, 0) {init = 1 : i32, sym_name = "out_prod"}
    %oc = aie.lock(%t12, 1) {init = 0 : i32, sym_name = "out_cons"}
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t12, DMA : 0, %t10, DMA : 0)
    %core0 = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %k = arith.constant 3 : i32
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%ic, AcquireGreaterEqual, 1)
        aie.use_lock(%mp, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %c32 step %c1 {
          %v = memref.load %in[%i] : memref<32xi32>
          %w = arith.muli %v, %k : i32
          memref.store %w, %mid[%i] : memref<32xi32>
        }
        aie.use_lock(%ip, Release, 1)
        aie.use_lock(%mc, Release, 1)
      }
      aie.end
    }
    %core1 = aie.core(%t12) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %k = arith.constant 1000 : i32
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%mc, AcquireGreaterEqual, 1)
        aie.use_lock(%op, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %c32 step %c1 {
          %v = memref.load %mid[%i] : memref<32xi32>
          %w = arith.addi %v, %k : i32
          memref.store %w, %out[%i] : memref<32xi32>
        }
        aie.use_lock(%mp, Release, 1)
        aie.use_lock(%oc, Release, 1)
      }
      aie.end
    }
    %mem0 = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%ip, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<32xi32>, 0, 32)
      aie.use_lock(%ic, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      aie.end
    }
    %mem1 = aie.mem(%t12) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%oc, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<32xi32>, 0, 32)
      aie.use_lock(%op, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      aie.end
    }
    aie.shim_dma_allocation @in_alloc (%t00, MM2S, 0)
    aie.shim_dma_allocation @out_alloc (%t10, S2MM, 0)
    aie.runtime_sequence(%a : memref<96xi32>, %b : memref<96xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 0 : i64, metadata = @in_alloc} : memref<96xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 0 : i64, metadata = @out_alloc, issue_token = true} : memref<96xi32>
      aiex.npu.dma_wait {symbol = @out_alloc}
    }
  }
}
