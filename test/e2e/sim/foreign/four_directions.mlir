// The core in the middle reads what its western, southern and northern neighbours hold, and itself; each has its own data from the start.
module {
  aie.device(npu2) {
    %s1 = aie.tile(1, 0)
    %west = aie.tile(0, 3)
    %south = aie.tile(1, 2)
    %north = aie.tile(1, 4)
    %mid = aie.tile(1, 3)
    %w = aie.buffer(%west) {sym_name = "w"} : memref<16xi32>
    %s = aie.buffer(%south) {sym_name = "s"} : memref<16xi32>
    %n = aie.buffer(%north) {sym_name = "n"} : memref<16xi32>
    %own = aie.buffer(%mid) {sym_name = "own"} : memref<16xi32>
    %wl = aie.lock(%west) {init = 0 : i32}
    %sl = aie.lock(%south) {init = 0 : i32}
    %nl = aie.lock(%north) {init = 0 : i32}
    %full = aie.lock(%mid) {init = 0 : i32}
    func.func private @fill(%b : memref<16xi32>, %k : i32) {
      affine.for %i = 0 to 16 {
        %v = arith.index_cast %i : index to i32
        %x = arith.muli %v, %k : i32
        affine.store %x, %b[%i] : memref<16xi32>
      }
      return
    }
    %cw = aie.core(%west) {
      %k = arith.constant 3 : i32
      func.call @fill(%w, %k) : (memref<16xi32>, i32) -> ()
      aie.use_lock(%wl, Release, 1)
      aie.end
    }
    %cs = aie.core(%south) {
      %k = arith.constant 50 : i32
      func.call @fill(%s, %k) : (memref<16xi32>, i32) -> ()
      aie.use_lock(%sl, Release, 1)
      aie.end
    }
    %cn = aie.core(%north) {
      %k = arith.constant -700 : i32
      func.call @fill(%n, %k) : (memref<16xi32>, i32) -> ()
      aie.use_lock(%nl, Release, 1)
      aie.end
    }
    %cm = aie.core(%mid) {
      aie.use_lock(%wl, Acquire, 1)
      aie.use_lock(%sl, AcquireGreaterEqual, 1)
      aie.use_lock(%nl, AcquireGreaterEqual, 1)
      affine.for %i = 0 to 16 {
        %0 = affine.load %w[%i] : memref<16xi32>
        %1 = affine.load %s[%i] : memref<16xi32>
        %2 = affine.load %n[%i] : memref<16xi32>
        %3 = arith.addi %0, %1 : i32
        %4 = arith.addi %3, %2 : i32
        affine.store %4, %own[%i] : memref<16xi32>
      }
      aie.use_lock(%full, Release, 1)
      aie.end
    }
    aie.mem(%mid) {
      aie.dma_start(MM2S, 0, ^a, ^e)
    ^a:
      aie.use_lock(%full, AcquireGreaterEqual, 1)
      aie.dma_bd(%own : memref<16xi32>)
      aie.next_bd ^e
    ^e:
      aie.end
    }
    aie.flow(%mid, DMA : 0, %s1, DMA : 1)
    aie.shim_dma_allocation @out(%s1, S2MM, 1)
    aie.runtime_sequence(%y : memref<16xi32>) {
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
