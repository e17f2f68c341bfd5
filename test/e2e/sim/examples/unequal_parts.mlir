// Distribute and join parts of different sizes, in an order that is not that of the cores.
module {
  aie.device(npu1_2col) {
    %s0 = aie.tile(0, 0)
    %m1 = aie.tile(1, 1)
    %s1 = aie.tile(1, 0)
    %a = aie.tile(0, 4)
    %b = aie.tile(1, 4)
    aie.objectfifo @in(%s0, {%m1}, 2 : i32) : !aie.objectfifo<memref<24xi32>>
    aie.objectfifo @ia(%m1, {%a}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @ib(%m1, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo.link [@in] -> [@ib, @ia]([] [0, 16])
    aie.objectfifo @oa(%a, {%m1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @ob(%b, {%m1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @out(%m1, {%s1}, 2 : i32) : !aie.objectfifo<memref<24xi32>>
    aie.objectfifo.link [@oa, @ob] -> [@out]([0, 8] [])
    %ca = aie.core(%a) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %n = %c0 to %c2 step %c1 {
        %0 = aie.objectfifo.acquire @ia(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %2 = aie.objectfifo.acquire @oa(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        affine.for %i = 0 to 8 {
          %v = affine.load %1[%i] : memref<8xi32>
          %w = arith.addi %v, %v : i32
          affine.store %w, %3[%i] : memref<8xi32>
        }
        aie.objectfifo.release @ia(Consume, 1)
        aie.objectfifo.release @oa(Produce, 1)
      }
      aie.end
    }
    %cb = aie.core(%b) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %n = %c0 to %c2 step %c1 {
        %0 = aie.objectfifo.acquire @ib(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %2 = aie.objectfifo.acquire @ob(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        affine.for %i = 0 to 16 {
          %v = affine.load %1[%i] : memref<16xi32>
          affine.store %v, %3[15 - %i] : memref<16xi32>
        }
        aie.objectfifo.release @ib(Consume, 1)
        aie.objectfifo.release @ob(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%x : memref<48xi32>, %y : memref<48xi32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<48xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<48xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
