// The memtile splits each 64 words over four cores and joins what they return.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %t03 = aie.tile(0, 3)
    %t04 = aie.tile(0, 4)
    %t05 = aie.tile(0, 5)
    %in = aie.buffer(%t01) {sym_name = "l2_in"} : memref<64xi32>
    %out = aie.buffer(%t01) {sym_name = "l2_out"} : memref<64xi32>
    %in_prod = aie.lock(%t01, 0) {init = 4 : i32, sym_name = "l2_in_prod"}
    %in_cons = aie.lock(%t01, 1) {init = 0 : i32, sym_name = "l2_in_cons"}
    %out_prod = aie.lock(%t01, 2) {init = 4 : i32, sym_name = "l2_out_prod"}
    %out_cons = aie.lock(%t01, 3) {init = 0 : i32, sym_name = "l2_out_cons"}
    %in_2 = aie.buffer(%t02) {sym_name = "in_2"} : memref<16xi32>
    %out_2 = aie.buffer(%t02) {sym_name = "out_2"} : memref<16xi32>
    %ip_2 = aie.lock(%t02, 0) {init = 1 : i32, sym_name = "in_prod_2"}
    %ic_2 = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "in_cons_2"}
    %op_2 = aie.lock(%t02, 2) {init = 1 : i32, sym_name = "out_prod_2"}
    %oc_2 = aie.lock(%t02, 3) {init = 0 : i32, sym_name = "out_cons_2"}
    %core_2 = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 16 : index
      %s = arith.constant 2 : i32
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%ic_2, AcquireGreaterEqual, 1)
        aie.use_lock(%op_2, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %n step %c1 {
          %v = memref.load %in_2[%i] : memref<16xi32>
          %w = arith.muli %v, %s : i32
          memref.store %w, %out_2[%i] : memref<16xi32>
        }
        aie.use_lock(%ip_2, Release, 1)
        aie.use_lock(%oc_2, Release, 1)
      }
      aie.end
    }
    %mem_2 = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%ip_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%in_2 : memref<16xi32>, 0, 16)
      aie.use_lock(%ic_2, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%oc_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%out_2 : memref<16xi32>, 0, 16)
      aie.use_lock(%op_2, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    %in_3 = aie.buffer(%t03) {sym_name = "in_3"} : memref<16xi32>
    %out_3 = aie.buffer(%t03) {sym_name = "out_3"} : memref<16xi32>
    %ip_3 = aie.lock(%t03, 0) {init = 1 : i32, sym_name = "in_prod_3"}
    %ic_3 = aie.lock(%t03, 1) {init = 0 : i32, sym_name = "in_cons_3"}
    %op_3 = aie.lock(%t03, 2) {init = 1 : i32, sym_name = "out_prod_3"}
    %oc_3 = aie.lock(%t03, 3) {init = 0 : i32, sym_name = "out_cons_3"}
    %core_3 = aie.core(%t03) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 16 : index
      %s = arith.constant 3 : i32
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%ic_3, AcquireGreaterEqual, 1)
        aie.use_lock(%op_3, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %n step %c1 {
          %v = memref.load %in_3[%i] : memref<16xi32>
          %w = arith.muli %v, %s : i32
          memref.store %w, %out_3[%i] : memref<16xi32>
        }
        aie.use_lock(%ip_3, Release, 1)
        aie.use_lock(%oc_3, Release, 1)
      }
      aie.end
    }
    %mem_3 = aie.mem(%t03) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%ip_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%in_3 : memref<16xi32>, 0, 16)
      aie.use_lock(%ic_3, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%oc_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%out_3 : memref<16xi32>, 0, 16)
      aie.use_lock(%op_3, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    %in_4 = aie.buffer(%t04) {sym_name = "in_4"} : memref<16xi32>
    %out_4 = aie.buffer(%t04) {sym_name = "out_4"} : memref<16xi32>
    %ip_4 = aie.lock(%t04, 0) {init = 1 : i32, sym_name = "in_prod_4"}
    %ic_4 = aie.lock(%t04, 1) {init = 0 : i32, sym_name = "in_cons_4"}
    %op_4 = aie.lock(%t04, 2) {init = 1 : i32, sym_name = "out_prod_4"}
    %oc_4 = aie.lock(%t04, 3) {init = 0 : i32, sym_name = "out_cons_4"}
    %core_4 = aie.core(%t04) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 16 : index
      %s = arith.constant 4 : i32
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%ic_4, AcquireGreaterEqual, 1)
        aie.use_lock(%op_4, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %n step %c1 {
          %v = memref.load %in_4[%i] : memref<16xi32>
          %w = arith.muli %v, %s : i32
          memref.store %w, %out_4[%i] : memref<16xi32>
        }
        aie.use_lock(%ip_4, Release, 1)
        aie.use_lock(%oc_4, Release, 1)
      }
      aie.end
    }
    %mem_4 = aie.mem(%t04) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%ip_4, AcquireGreaterEqual, 1)
      aie.dma_bd(%in_4 : memref<16xi32>, 0, 16)
      aie.use_lock(%ic_4, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%oc_4, AcquireGreaterEqual, 1)
      aie.dma_bd(%out_4 : memref<16xi32>, 0, 16)
      aie.use_lock(%op_4, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    %in_5 = aie.buffer(%t05) {sym_name = "in_5"} : memref<16xi32>
    %out_5 = aie.buffer(%t05) {sym_name = "out_5"} : memref<16xi32>
    %ip_5 = aie.lock(%t05, 0) {init = 1 : i32, sym_name = "in_prod_5"}
    %ic_5 = aie.lock(%t05, 1) {init = 0 : i32, sym_name = "in_cons_5"}
    %op_5 = aie.lock(%t05, 2) {init = 1 : i32, sym_name = "out_prod_5"}
    %oc_5 = aie.lock(%t05, 3) {init = 0 : i32, sym_name = "out_cons_5"}
    %core_5 = aie.core(%t05) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 16 : index
      %s = arith.constant 5 : i32
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%ic_5, AcquireGreaterEqual, 1)
        aie.use_lock(%op_5, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %n step %c1 {
          %v = memref.load %in_5[%i] : memref<16xi32>
          %w = arith.muli %v, %s : i32
          memref.store %w, %out_5[%i] : memref<16xi32>
        }
        aie.use_lock(%ip_5, Release, 1)
        aie.use_lock(%oc_5, Release, 1)
      }
      aie.end
    }
    %mem_5 = aie.mem(%t05) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%ip_5, AcquireGreaterEqual, 1)
      aie.dma_bd(%in_5 : memref<16xi32>, 0, 16)
      aie.use_lock(%ic_5, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%oc_5, AcquireGreaterEqual, 1)
      aie.dma_bd(%out_5 : memref<16xi32>, 0, 16)
      aie.use_lock(%op_5, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    %mt = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 0, ^bd0, ^s1)
    ^bd0:
      aie.use_lock(%in_prod, AcquireGreaterEqual, 4)
      aie.dma_bd(%in : memref<64xi32>, 0, 64)
      aie.use_lock(%in_cons, Release, 4)
      aie.next_bd ^bd0
    ^s1:
      %1 = aie.dma_start(MM2S, 0, ^bd1, ^s2)
    ^bd1:
      aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<64xi32>, 0, 16)
      aie.use_lock(%in_prod, Release, 1)
      aie.next_bd ^bd1
    ^s2:
      %2 = aie.dma_start(MM2S, 1, ^bd2, ^s3)
    ^bd2:
      aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<64xi32>, 16, 16)
      aie.use_lock(%in_prod, Release, 1)
      aie.next_bd ^bd2
    ^s3:
      %3 = aie.dma_start(MM2S, 2, ^bd3, ^s4)
    ^bd3:
      aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<64xi32>, 32, 16)
      aie.use_lock(%in_prod, Release, 1)
      aie.next_bd ^bd3
    ^s4:
      %4 = aie.dma_start(MM2S, 3, ^bd4, ^s5)
    ^bd4:
      aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<64xi32>, 48, 16)
      aie.use_lock(%in_prod, Release, 1)
      aie.next_bd ^bd4
    ^s5:
      %5 = aie.dma_start(S2MM, 1, ^bd5, ^s6)
    ^bd5:
      aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<64xi32>, 0, 16)
      aie.use_lock(%out_cons, Release, 1)
      aie.next_bd ^bd5
    ^s6:
      %6 = aie.dma_start(S2MM, 2, ^bd6, ^s7)
    ^bd6:
      aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<64xi32>, 16, 16)
      aie.use_lock(%out_cons, Release, 1)
      aie.next_bd ^bd6
    ^s7:
      %7 = aie.dma_start(S2MM, 3, ^bd7, ^s8)
    ^bd7:
      aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<64xi32>, 32, 16)
      aie.use_lock(%out_cons, Release, 1)
      aie.next_bd ^bd7
    ^s8:
      %8 = aie.dma_start(S2MM, 4, ^bd8, ^s9)
    ^bd8:
      aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<64xi32>, 48, 16)
      aie.use_lock(%out_cons, Release, 1)
      aie.next_bd ^bd8
    ^s9:
      %9 = aie.dma_start(MM2S, 4, ^bd9, ^end)
    ^bd9:
      aie.use_lock(%out_cons, AcquireGreaterEqual, 4)
      aie.dma_bd(%out : memref<64xi32>, 0, 64)
      aie.use_lock(%out_prod, Release, 4)
      aie.next_bd ^bd9
    ^end:
      aie.end
    }
    aie.flow(%t00, DMA : 0, %t01, DMA : 0)
    aie.flow(%t01, DMA : 4, %t00, DMA : 0)
    aie.flow(%t01, DMA : 0, %t02, DMA : 0)
    aie.flow(%t01, DMA : 1, %t03, DMA : 0)
    aie.flow(%t01, DMA : 2, %t04, DMA : 0)
    aie.flow(%t01, DMA : 3, %t05, DMA : 0)
    aie.flow(%t02, DMA : 0, %t01, DMA : 1)
    aie.flow(%t03, DMA : 0, %t01, DMA : 2)
    aie.flow(%t04, DMA : 0, %t01, DMA : 3)
    aie.flow(%t05, DMA : 0, %t01, DMA : 4)
    aie.shim_dma_allocation @in_alloc (%t00, MM2S, 0)
    aie.shim_dma_allocation @out_alloc (%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<256xi32>, %b : memref<256xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 0 : i64, metadata = @out_alloc, issue_token = true} : memref<256xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 1 : i64, metadata = @in_alloc} : memref<256xi32>
      aiex.npu.dma_wait {symbol = @out_alloc}
    }
  }
}
