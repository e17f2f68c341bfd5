// The memtile sends a table without end and without locks; a core takes it as often as it needs. A parameter is read after an acquire.
module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %c = aie.tile(0, 2)
    %table = aie.buffer(%m) {sym_name = "table"} : memref<8xi32> = dense<[3, 1, 4, 1, 5, 9, 2, 6]>
    %t0 = aie.buffer(%c) {sym_name = "t0"} : memref<8xi32>
    %rtp = aie.buffer(%c) {sym_name = "rtp"} : memref<1xi32>
    %tp = aie.lock(%c) {init = 1 : i32}
    %tc = aie.lock(%c) {init = 0 : i32}
    aie.flow(%m, DMA : 3, %c, DMA : 1)
    aie.objectfifo @x(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @y(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.memtile_dma(%m) {
      %0 = aie.dma_start(MM2S, 3, ^a, ^end)
    ^a:
      aie.dma_bd(%table : memref<8xi32>, 0, 8)
      aie.next_bd ^a
    ^end:
      aie.end
    }
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %cmax = arith.constant 4294967295 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %2 = aie.objectfifo.acquire @y(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %f = memref.load %rtp[%c0] : memref<1xi32>
        aie.use_lock(%tc, AcquireGreaterEqual, 1)
        %v = vector.load %1[%c0] : memref<8xi32>, vector<8xi32>
        %t = vector.load %t0[%c0] : memref<8xi32>, vector<8xi32>
        %fv = vector.broadcast %f : i32 to vector<8xi32>
        %p = arith.muli %v, %t : vector<8xi32>
        %q = arith.addi %p, %fv : vector<8xi32>
        vector.store %q, %3[%c0] : memref<8xi32>, vector<8xi32>
        aie.use_lock(%tp, Release, 1)
        aie.objectfifo.release @x(Consume, 1)
        aie.objectfifo.release @y(Produce, 1)
      }
      aie.end
    }
    aie.mem(%c) {
      %0 = aie.dma_start(S2MM, 1, ^a, ^end)
    ^a:
      aie.use_lock(%tp, AcquireGreaterEqual, 1)
      aie.dma_bd(%t0 : memref<8xi32>, 0, 8)
      aie.use_lock(%tc, Release, 1)
      aie.next_bd ^a
    ^end:
      aie.end
    }
    aie.runtime_sequence(%x : memref<32xi32>, %y : memref<32xi32>) {
      aiex.npu.rtp_write(@rtp, 0, 1000)
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @x} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @y} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
