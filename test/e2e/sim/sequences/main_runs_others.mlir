// A main device whose sequence configures another device and runs its sequence twice: the main sequence is the one to simulate.
module {
  aie.device(npu2) @add {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    %b = aie.buffer(%t02) : memref<8xi32>
    %o = aie.buffer(%t02) : memref<8xi32>
    %l0 = aie.lock(%t02, 0) {init = 1 : i32}
    %l1 = aie.lock(%t02, 1) {init = 0 : i32}
    %l2 = aie.lock(%t02, 2) {init = 1 : i32}
    %l3 = aie.lock(%t02, 3) {init = 0 : i32}
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c1 = arith.constant 1 : index
      %cm = arith.constant 1000 : index
      %k = arith.constant 5 : i32
      scf.for %n = %c0 to %cm step %c1 {
      aie.use_lock(%l1, AcquireGreaterEqual, 1)
      aie.use_lock(%l2, AcquireGreaterEqual, 1)
      scf.for %i = %c0 to %c8 step %c1 {
        %v = memref.load %b[%i] : memref<8xi32>
        %w = arith.addi %v, %k : i32
        memref.store %w, %o[%i] : memref<8xi32>
      }
      aie.use_lock(%l0, Release, 1)
      aie.use_lock(%l3, Release, 1)
      }
      aie.end
    }
    aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^n)
    ^in:
      aie.use_lock(%l0, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<8xi32>, 0, 8)
      aie.use_lock(%l1, Release, 1)
      aie.next_bd ^in
    ^n:
      %1 = aie.dma_start(MM2S, 0, ^out, ^e)
    ^out:
      aie.use_lock(%l3, AcquireGreaterEqual, 1)
      aie.dma_bd(%o : memref<8xi32>, 0, 8)
      aie.use_lock(%l2, Release, 1)
      aie.next_bd ^out
    ^e:
      aie.end
    }
    aie.runtime_sequence @run(%a: memref<8xi32>, %c: memref<8xi32>) {
      %t = aiex.dma_configure_task(%t00, MM2S, 0) {
        aie.dma_bd(%a : memref<8xi32>, 0, 8) {bd_id = 0 : i32}
        aie.end
      }
      %u = aiex.dma_configure_task(%t00, S2MM, 0) {
        aie.dma_bd(%c : memref<8xi32>, 0, 8) {bd_id = 1 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%t)
      aiex.dma_start_task(%u)
      aiex.dma_await_task(%u)
      aiex.dma_free_task(%t)
    }
  }
  aie.device(npu2) @main {
    aie.runtime_sequence @main(%a: memref<16xi32>, %c: memref<16xi32>) {
      aiex.configure @add {
        %a0s = memref.subview %a[0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1]>>
        %a0 = memref.reinterpret_cast %a0s to offset: [0], sizes: [8], strides: [1] : memref<8xi32, strided<[1]>> to memref<8xi32>
        %c0s = memref.subview %c[0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1]>>
        %c0 = memref.reinterpret_cast %c0s to offset: [0], sizes: [8], strides: [1] : memref<8xi32, strided<[1]>> to memref<8xi32>
        %a1s = memref.subview %a[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
        %a1 = memref.reinterpret_cast %a1s to offset: [0], sizes: [8], strides: [1] : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
        %c1s = memref.subview %c[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
        %c1 = memref.reinterpret_cast %c1s to offset: [0], sizes: [8], strides: [1] : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
        aiex.run @run(%a0, %c0) : (memref<8xi32>, memref<8xi32>)
        aiex.run @run(%a1, %c1) : (memref<8xi32>, memref<8xi32>)
      }
    }
  }
}
