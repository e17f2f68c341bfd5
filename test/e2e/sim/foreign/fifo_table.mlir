// A memtile sends a table that no one writes, once.
module {
  aie.device(npu1) {
    %s0 = aie.tile(0, 0)
    %m0 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    aie.objectfifo @lut(%m0, {%t02}, 1 : i32) : !aie.objectfifo<memref<8xi32>> = [dense<[1, 2, 3, 4, 5, 6, 7, 8]> : memref<8xi32>]
    aie.objectfifo @in(%s0, {%t02}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @out(%t02, {%s0}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c4 = arith.constant 4 : index
      %l = aie.objectfifo.acquire @lut(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
      %t = aie.objectfifo.subview.access %l[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      scf.for %i = %c0 to %c4 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %3 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %4 = aie.objectfifo.subview.access %3[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        scf.for %j = %c0 to %c8 step %c1 {
          %x = memref.load %1[%j] : memref<8xi32>
          %y = memref.load %t[%j] : memref<8xi32>
          %z = arith.muli %y, %x : i32
          memref.store %z, %4[%j] : memref<8xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.objectfifo.release @lut(Consume, 1)
      aie.end
    }
    aie.runtime_sequence(%a: memref<32xi32>, %b: memref<32xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
