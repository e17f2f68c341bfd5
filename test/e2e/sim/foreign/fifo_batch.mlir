// Three objects are taken at once, and given back one by one in a loop.
module {
  aie.device(npu1) {
    %s0 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    aie.objectfifo @in(%s0, {%t02}, [2, 4]) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @out(%t02, {%s0}, [3, 2]) : !aie.objectfifo<memref<4xi32>>
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      scf.for %k = %c0 to %c5 step %c1 {
        %o = aie.objectfifo.acquire @out(Produce, 3) : !aie.objectfifosubview<memref<4xi32>>
        %o0 = aie.objectfifo.subview.access %o[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %o1 = aie.objectfifo.subview.access %o[1] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %o2 = aie.objectfifo.subview.access %o[2] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %p = aie.objectfifo.acquire @in(Consume, 3) : !aie.objectfifosubview<memref<4xi32>>
        %p0 = aie.objectfifo.subview.access %p[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %p1 = aie.objectfifo.subview.access %p[1] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %p2 = aie.objectfifo.subview.access %p[2] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        memref.copy %p0, %o2 : memref<4xi32> to memref<4xi32>
        memref.copy %p1, %o1 : memref<4xi32> to memref<4xi32>
        memref.copy %p2, %o0 : memref<4xi32> to memref<4xi32>
        scf.for %j = %c0 to %c3 step %c1 {
          aie.objectfifo.release @in(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        }
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<60xi32>, %b: memref<60xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 60][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<60xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 60][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<60xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
