// One buffer in four quarters: a lock that counts to four, an acquire of two at a time, an acquire-equal, a start that repeats, a chain that ends.
module {
  aie.device(npu2_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %in = aie.buffer(%t02) {sym_name = "in"} : memref<4x8xi16>
    %out = aie.buffer(%t02) {sym_name = "out"} : memref<4x8xi16>
    %space = aie.lock(%t02, 3) {init = 4 : i32, sym_name = "space"}
    %items = aie.lock(%t02, 2) {init = 0 : i32, sym_name = "items"}
    %ready = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "ready"}
    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      scf.for %half = %c0 to %c4 step %c2 {
        aie.use_lock(%items, AcquireGreaterEqual, 2)
        %end = arith.addi %half, %c2 : index
        scf.for %q = %half to %end step %c1 {
          scf.for %i = %c0 to %c8 step %c1 {
            %v = memref.load %in[%q, %i] : memref<4x8xi16>
            %w = arith.addi %v, %v : i16
            memref.store %w, %out[%q, %i] : memref<4x8xi16>
          }
        }
        aie.use_lock(%space, Release, 2)
      }
      aie.use_lock(%ready, Release, 3)
      aie.end
    }
    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb5)
    ^bb1:
      aie.use_lock(%space, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<4x8xi16>, 0, 8)
      aie.use_lock(%items, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%space, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<4x8xi16>, 8, 8)
      aie.use_lock(%items, Release, 1)
      aie.next_bd ^bb3
    ^bb3:
      aie.use_lock(%space, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<4x8xi16>, 16, 8)
      aie.use_lock(%items, Release, 1)
      aie.next_bd ^bb4
    ^bb4:
      aie.use_lock(%space, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<4x8xi16>, 24, 8)
      aie.use_lock(%items, Release, 1)
      aie.next_bd ^end
    ^bb5:
      %1 = aie.dma_start(MM2S, 0, ^bb6, ^end, repeat_count = 1)
    ^bb6:
      aie.use_lock(%ready, Acquire, 3)
      aie.dma_bd(%out : memref<4x8xi16>, 0, 32, [<size = 8, stride = 2>, <size = 2, stride = 16>, <size = 2, stride = 1>])
      aie.use_lock(%ready, Release, 3)
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    aie.shim_dma_allocation @i(%t00, MM2S, 0)
    aie.shim_dma_allocation @o(%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<32xi16>, %b : memref<2x32xi16>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @i} : memref<32xi16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @o, issue_token = true} : memref<2x32xi16>
      aiex.npu.dma_wait {symbol = @o}
    }
  }
}
