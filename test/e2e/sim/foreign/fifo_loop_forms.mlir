// A loop over i32 with a carried value, bounds from outside of the core, trips that no depth divides.
module {
  aie.device(npu1) {
    %s0 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c14 = arith.constant 14 : i32
    aie.objectfifo @in(%s0, {%t02}, [2, 3]) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @out(%t02, {%s0}, [4, 2]) : !aie.objectfifo<memref<4xi32>>
    aie.core(%t02) {
      %z = arith.constant 0 : index
      %o = arith.constant 1 : index
      %n = arith.constant 4 : index
      %r = scf.for %i = %c0 to %c14 step %c2 iter_args(%acc = %c0) -> (i32) : i32 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %2 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        scf.for %j = %z to %n step %o {
          %v = memref.load %1[%j] : memref<4xi32>
          %w = arith.addi %v, %acc : i32
          %u = arith.addi %w, %i : i32
          memref.store %u, %3[%j] : memref<4xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
        %next = arith.addi %acc, %c14 : i32
        scf.yield %next : i32
      }
      %0 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
      %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      scf.for %j = %z to %n step %o {
        memref.store %r, %1[%j] : memref<4xi32>
      }
      aie.objectfifo.release @out(Produce, 1)
      aie.end
    }
    aie.runtime_sequence(%a: memref<28xi32>, %b: memref<32xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 28][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<28xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
