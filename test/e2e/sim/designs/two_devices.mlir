// Two configurations one after the other, the second working on what the first left in external memory.
module {
  aie.device(npu2_1col) @times {
    %t00 = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %x = aie.buffer(%t) {sym_name = "x"} : memref<32xi32>
    %p = aie.lock(%t, 0) {init = 1 : i32, sym_name = "p"}
    %c = aie.lock(%t, 1) {init = 0 : i32, sym_name = "c"}
    %d = aie.lock(%t, 2) {init = 0 : i32, sym_name = "d"}
    aie.flow(%t00, DMA : 0, %t, DMA : 0)
    aie.flow(%t, DMA : 0, %t00, DMA : 0)
    %core = aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %k = arith.constant 5 : i32
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      scf.for %i = %c0 to %c32 step %c1 {
        %v = memref.load %x[%i] : memref<32xi32>
        %w = arith.muli %v, %k : i32
        memref.store %w, %x[%i] : memref<32xi32>
      }
      aie.use_lock(%d, Release, 1)
      aie.end
    }
    %mem = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%x : memref<32xi32>, 0, 32)
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%d, AcquireGreaterEqual, 1)
      aie.dma_bd(%x : memref<32xi32>, 0, 32)
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence @go(%a : memref<32xi32>, %b : memref<32xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
  aie.device(npu2_1col) @plus {
    %t00 = aie.tile(0, 0)
    %t = aie.tile(0, 4)
    %x = aie.buffer(%t) {sym_name = "x"} : memref<32xi32>
    %p = aie.lock(%t, 0) {init = 1 : i32, sym_name = "p"}
    %c = aie.lock(%t, 1) {init = 0 : i32, sym_name = "c"}
    %d = aie.lock(%t, 2) {init = 0 : i32, sym_name = "d"}
    aie.flow(%t00, DMA : 0, %t, DMA : 0)
    aie.flow(%t, DMA : 0, %t00, DMA : 0)
    %core = aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %k = arith.constant 9 : i32
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      scf.for %i = %c0 to %c32 step %c1 {
        %v = memref.load %x[%i] : memref<32xi32>
        %w = arith.addi %v, %k : i32
        memref.store %w, %x[%i] : memref<32xi32>
      }
      aie.use_lock(%d, Release, 1)
      aie.end
    }
    %mem = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%x : memref<32xi32>, 0, 32)
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%d, AcquireGreaterEqual, 1)
      aie.dma_bd(%x : memref<32xi32>, 0, 32)
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence @go(%a : memref<32xi32>, %b : memref<32xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
  aie.device(npu2_1col) @main {
    aie.runtime_sequence @both(%a : memref<32xi32>, %b : memref<32xi32>, %c : memref<32xi32>) {
      aiex.configure @times {
        aiex.run @go(%a, %b) : (memref<32xi32>, memref<32xi32>)
      }
      aiex.configure @plus {
        aiex.run @go(%b, %c) : (memref<32xi32>, memref<32xi32>)
      }
    }
  }
}
