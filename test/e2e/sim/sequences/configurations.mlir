// Configurations that leave memory and locks to the next, subviews made for a run, operations of the configured device in
// aiex.configure, a device that configures itself, and a load of a device inside a sequence.
!view = memref<32xi32, strided<[1], offset: ?>>
module {
  aie.device(npu2_1col) @fill {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %keep = aie.buffer(%t02) {sym_name = "keep", address = 4096 : i32} : memref<32xi32>
    %bank = aie.buffer(%t01) {sym_name = "bank", address = 0 : i32} : memref<32xi32>
    %count = aie.lock(%t01, 5) {sym_name = "count"}
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t00, DMA : 1, %t01, DMA : 0)
    %done = aie.lock(%t01, 3) {init = 0 : i32}
    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.dma_bd(%keep : memref<32xi32>, 0, 32)
      aie.next_bd ^bb2
    ^bb2:
      aie.end
    }
    %m = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.dma_bd(%bank : memref<32xi32>, 0, 32)
      aie.use_lock(%count, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @side (%t00, MM2S, 1)
    aie.runtime_sequence @both(%x : !view, %y : !view) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in, issue_token = true} : !view
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @side, issue_token = true} : !view
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @side}
    }
  }
  aie.device(npu2_1col) @drain {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %kept = aie.buffer(%t02) {sym_name = "kept", address = 4096 : i32} : memref<32xi32>
    %bank = aie.buffer(%t01) {sym_name = "bank", address = 0 : i32} : memref<32xi32>
    %go = aie.lock(%t02, 0) {init = 0 : i32}
    %count = aie.lock(%t01, 5) {sym_name = "count"}
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    aie.flow(%t01, DMA : 0, %t00, DMA : 1)
    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      scf.for %i = %c0 to %c32 step %c1 {
        %v = memref.load %kept[%i] : memref<32xi32>
        %w = arith.addi %v, %v : i32
        memref.store %w, %kept[%i] : memref<32xi32>
      }
      aie.use_lock(%go, Release, 1)
      aie.end
    }
    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%go, AcquireGreaterEqual, 1)
      aie.dma_bd(%kept : memref<32xi32>, 0, 32)
      aie.next_bd ^bb2
    ^bb2:
      aie.end
    }
    %m = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%count, AcquireGreaterEqual, 1)
      aie.dma_bd(%bank : memref<32xi32>, 0, 32)
      aie.next_bd ^bb2
    ^bb2:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, S2MM, 0)
    aie.shim_dma_allocation @side (%t00, S2MM, 1)
    aie.runtime_sequence @get(%x : !view) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in, issue_token = true} : !view
      aiex.npu.dma_wait {symbol = @in}
    }
  }
  aie.device(npu2_1col) @main {
    %shim = aie.tile(0, 0)
    aie.runtime_sequence @seq(%a : memref<128xi32>, %b : memref<4x64xi32>) {
      aiex.configure @fill {
        %front = memref.subview %a[32][32][1] : memref<128xi32> to memref<32xi32, strided<[1], offset: 32>>
        %back = memref.reinterpret_cast %a to offset: [64], sizes: [32], strides: [1] : memref<128xi32> to memref<32xi32, strided<[1], offset: 64>>
        %f = memref.cast %front : memref<32xi32, strided<[1], offset: 32>> to !view
        %k = memref.cast %back : memref<32xi32, strided<[1], offset: 64>> to !view
        aiex.run @both(%f, %k) : (!view, !view)
      }
      aiex.configure @drain {
        %row = memref.subview %b[1, 0][1, 32][1, 1] : memref<4x64xi32> to memref<32xi32, strided<[1], offset: 64>>
        %r = memref.cast %row : memref<32xi32, strided<[1], offset: 64>> to !view
        aiex.run @get(%r) : (!view)
        %c2 = arith.constant 2 : index
        %t = aiex.dma_configure_task_for @side {
          aie.dma_bd(%b : memref<4x64xi32>, 128, 32)
          aie.end
        } {issue_token = true}
        aiex.dma_start_task(%t)
        aiex.dma_await_task(%t)
      }
      aiex.npu.load_pdi {device_ref = @fill}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 96][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in, issue_token = true} : memref<128xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @side, issue_token = true} : memref<128xi32>
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @side}
      aiex.configure @drain {
        aiex.npu.dma_memcpy_nd(%b[0, 0, 3, 0][1, 1, 1, 32][0, 0, 64, 1]) {id = 0 : i64, metadata = @in, issue_token = true} : memref<4x64xi32>
        aiex.npu.dma_memcpy_nd(%b[0, 0, 3, 32][1, 1, 1, 32][0, 0, 64, 1]) {id = 1 : i64, metadata = @side, issue_token = true} : memref<4x64xi32>
        aiex.npu.dma_wait {symbol = @side}
        aiex.npu.dma_wait {symbol = @in}
      }
    }
  }
}
