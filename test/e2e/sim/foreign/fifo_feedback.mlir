// Two cores in a ring: sums go round through an objectFifo that begins with a value.
module {
  aie.device(npu1) {
    %s0 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %t03 = aie.tile(0, 3)
    aie.objectfifo @in(%s0, {%t02}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @fwd(%t02, {%t03}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @back(%t03, {%t02}, 1 : i32) : !aie.objectfifo<memref<8xi32>> = [dense<100> : memref<8xi32>]
    aie.objectfifo @out(%t03, {%s0}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c5 = arith.constant 5 : index
      scf.for %i = %c0 to %c5 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %2 = aie.objectfifo.acquire @back(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %4 = aie.objectfifo.acquire @fwd(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        scf.for %j = %c0 to %c8 step %c1 {
          %x = memref.load %1[%j] : memref<8xi32>
          %y = memref.load %3[%j] : memref<8xi32>
          %z = arith.addi %x, %y : i32
          memref.store %z, %5[%j] : memref<8xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @back(Consume, 1)
        aie.objectfifo.release @fwd(Produce, 1)
      }
      aie.end
    }
    aie.core(%t03) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      scf.for %i = %c0 to %c5 step %c1 {
        %4 = aie.objectfifo.acquire @fwd(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %2 = aie.objectfifo.acquire @back(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %6 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %7 = aie.objectfifo.subview.access %6[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        memref.copy %5, %7 : memref<8xi32> to memref<8xi32>
        memref.copy %5, %3 : memref<8xi32> to memref<8xi32>
        aie.objectfifo.release @fwd(Consume, 1)
        aie.objectfifo.release @back(Produce, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<40xi32>, %b: memref<40xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 40][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<40xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 40][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<40xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
