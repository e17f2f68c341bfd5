// A core is the producer and the consumer of one objectFifo; another is put on a neighbour by allocate; a cascade from west to east.
module {
  aie.device(npu1) {
    %s = aie.tile(2, 0)
    %a = aie.tile(2, 3)
    %b = aie.tile(3, 3)
    aie.cascade_flow(%a, %b)
    aie.objectfifo @in(%s, {%a}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @own(%a, {%a}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @next(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo.allocate @next(%a)
    aie.objectfifo @out(%b, {%s}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.core(%a) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %n = %c0 to %c4 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %2 = aie.objectfifo.acquire @own(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %v = vector.load %1[%c0] : memref<16xi32>, vector<16xi32>
        %w = arith.muli %v, %v : vector<16xi32>
        vector.store %w, %3[%c0] : memref<16xi32>, vector<16xi32>
        aie.put_cascade(%v : vector<16xi32>)
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @own(Produce, 1)
        %4 = aie.objectfifo.acquire @own(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %6 = aie.objectfifo.acquire @next(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %7 = aie.objectfifo.subview.access %6[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        memref.copy %5, %7 : memref<16xi32> to memref<16xi32>
        aie.objectfifo.release @own(Consume, 1)
        aie.objectfifo.release @next(Produce, 1)
      }
      aie.end
    }
    aie.core(%b) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %n = %c0 to %c4 step %c1 {
        %0 = aie.objectfifo.acquire @next(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %2 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %v = vector.load %1[%c0] : memref<16xi32>, vector<16xi32>
        %g = aie.get_cascade() : vector<16xi32>
        %w = arith.subi %v, %g : vector<16xi32>
        vector.store %w, %3[%c0] : memref<16xi32>, vector<16xi32>
        aie.objectfifo.release @next(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%x : memref<64xi32>, %y : memref<64xi32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
