// A core makes data without end for another, which takes three objects and gives back one; the host only receives.
module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %a = aie.tile(0, 3)
    %b = aie.tile(0, 5)
    aie.objectfifo @gen(%a, {%b}, [2 : i32, 4 : i32]) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @ret(%b, {%s}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    %ca = aie.core(%a) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c8x = arith.constant 4294967295 : index
      %c10 = arith.constant 4294967295 : index
      %k = arith.constant 100 : i32
      scf.for %n = %c0 to %c10 step %c1 {
        %0 = aie.objectfifo.acquire @gen(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %n32 = arith.index_cast %n : index to i32
        %base = arith.muli %n32, %k : i32
        scf.for %i = %c0 to %c8 step %c1 {
          %i32 = arith.index_cast %i : index to i32
          %v = arith.addi %base, %i32 : i32
          memref.store %v, %1[%i] : memref<8xi32>
        }
        aie.objectfifo.release @gen(Produce, 1)
      }
      aie.end
    }
    %cb = aie.core(%b) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c8x = arith.constant 4294967295 : index
      scf.for %n = %c0 to %c8x step %c1 {
        %0 = aie.objectfifo.acquire @gen(Consume, 3) : !aie.objectfifosubview<memref<8xi32>>
        %x = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %y = aie.objectfifo.subview.access %0[2] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %1 = aie.objectfifo.acquire @ret(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %o = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        affine.for %i = 0 to 8 {
          %p = affine.load %x[%i] : memref<8xi32>
          %q = affine.load %y[-%i + 7] : memref<8xi32>
          %r = arith.subi %q, %p : i32
          affine.store %r, %o[%i] : memref<8xi32>
        }
        aie.objectfifo.release @gen(Consume, 1)
        aie.objectfifo.release @ret(Produce, 1)
      }
      aie.objectfifo.release @gen(Consume, 2)
      aie.end
    }
    aie.runtime_sequence(%y : memref<64xi32>) {
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 15 : i64, metadata = @ret} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @ret}
    }
  }
}
