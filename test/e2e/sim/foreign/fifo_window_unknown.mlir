// A window of three rows over five objects, in a loop whose trips are read from memory; two rows are taken before it.
module {
  aie.device(npu1) {
    %s0 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    aie.objectfifo @in(%s0, {%t02}, [2, 5]) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @out(%t02, {%s0}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    %n = aie.buffer(%t02) {sym_name = "n"} : memref<1xi32> = dense<6>
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %ni = memref.load %n[%c0] : memref<1xi32>
      %trips = arith.index_cast %ni : i32 to index
      %p = aie.objectfifo.acquire @in(Consume, 2) : !aie.objectfifosubview<memref<4xi32>>
      scf.for %i = %c0 to %trips step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 3) : !aie.objectfifosubview<memref<4xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %2 = aie.objectfifo.subview.access %0[2] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %3 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
        %4 = aie.objectfifo.subview.access %3[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        scf.for %j = %c0 to %c4 step %c1 {
          %x = memref.load %1[%j] : memref<4xi32>
          %y = memref.load %2[%j] : memref<4xi32>
          %z = arith.subi %y, %x : i32
          memref.store %z, %4[%j] : memref<4xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.objectfifo.release @in(Consume, 2)
      aie.end
    }
    aie.runtime_sequence(%a: memref<32xi32>, %b: memref<24xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 24][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<24xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
