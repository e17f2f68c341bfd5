// affine.for and affine.if around acquires and releases: the first result is never given away, so the second overwrites it.
module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    aie.objectfifo @i(%s, {%t}, 3 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @o(%t, {%s}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.core(%t) {
      %c0 = arith.constant 0 : index
      affine.for %i = 0 to 8 {
        %a = aie.objectfifo.acquire @i(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
        %x = aie.objectfifo.subview.access %a[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %b = aie.objectfifo.acquire @o(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
        %y = aie.objectfifo.subview.access %b[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        affine.for %j = 0 to 4 {
          %v = affine.load %x[%j] : memref<4xi32>
          %k = arith.index_cast %i : index to i32
          %w = arith.addi %v, %k : i32
          affine.store %w, %y[%j] : memref<4xi32>
        }
        aie.objectfifo.release @i(Consume, 1)
        affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
          aie.objectfifo.release @o(Produce, 1)
        }
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<32xi32>, %b: memref<28xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 28][0, 0, 0, 1]) {id = 0 : i64, metadata = @o, issue_token = true} : memref<28xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @i} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @o}
    }
  }
}
