// Unequal parts: one fifo split on the memtile into three of 8, 16 and 8, doubled by three cores, and joined in another order.
module {
  aie.device(npu2_2col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %t03 = aie.tile(0, 3)
    %t12 = aie.tile(1, 2)
    aie.objectfifo @in(%t00, {%t01}, 2 : i32) : !aie.objectfifo<memref<32xi16>>
    aie.objectfifo @i0(%t01, {%t02}, 2 : i32) : !aie.objectfifo<memref<8xi16>>
    aie.objectfifo @i1(%t01, {%t03}, 2 : i32) : !aie.objectfifo<memref<16xi16>>
    aie.objectfifo @i2(%t01, {%t12}, 2 : i32) : !aie.objectfifo<memref<8xi16>>
    aie.objectfifo.link [@in] -> [@i0, @i1, @i2]([] [0, 8, 24])
    aie.objectfifo @o0(%t02, {%t01}, 2 : i32) : !aie.objectfifo<memref<8xi16>>
    aie.objectfifo @o1(%t03, {%t01}, 2 : i32) : !aie.objectfifo<memref<16xi16>>
    aie.objectfifo @o2(%t12, {%t01}, 2 : i32) : !aie.objectfifo<memref<8xi16>>
    aie.objectfifo @out(%t01, {%t00}, 2 : i32) : !aie.objectfifo<memref<32xi16>>
    aie.objectfifo.link [@o1, @o0, @o2] -> [@out]([0, 16, 24] [])
    func.func private @twice8(%x : memref<8xi16>, %y : memref<8xi16>) {
      %c0 = arith.constant 0 : index
      %v = vector.load %x[%c0] : memref<8xi16>, vector<8xi16>
      %w = arith.addi %v, %v : vector<8xi16>
      vector.store %w, %y[%c0] : memref<8xi16>, vector<8xi16>
      return
    }
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      scf.for %t = %c0 to %c3 step %c1 {
        %0 = aie.objectfifo.acquire @i0(Consume, 1) : !aie.objectfifosubview<memref<8xi16>>
        %x = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi16>> -> memref<8xi16>
        %1 = aie.objectfifo.acquire @o0(Produce, 1) : !aie.objectfifosubview<memref<8xi16>>
        %y = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<8xi16>> -> memref<8xi16>
        func.call @twice8(%x, %y) : (memref<8xi16>, memref<8xi16>) -> ()
        aie.objectfifo.release @i0(Consume, 1)
        aie.objectfifo.release @o0(Produce, 1)
      }
      aie.end
    }
    aie.core(%t03) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      scf.for %t = %c0 to %c3 step %c1 {
        %0 = aie.objectfifo.acquire @i1(Consume, 1) : !aie.objectfifosubview<memref<16xi16>>
        %x = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi16>> -> memref<16xi16>
        %1 = aie.objectfifo.acquire @o1(Produce, 1) : !aie.objectfifosubview<memref<16xi16>>
        %y = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<16xi16>> -> memref<16xi16>
        %v = vector.load %x[%c0] : memref<16xi16>, vector<16xi16>
        %two = arith.constant dense<2> : vector<16xi16>
        %w = arith.muli %v, %two : vector<16xi16>
        vector.store %w, %y[%c0] : memref<16xi16>, vector<16xi16>
        aie.objectfifo.release @i1(Consume, 1)
        aie.objectfifo.release @o1(Produce, 1)
      }
      aie.end
    }
    aie.core(%t12) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      scf.for %t = %c0 to %c3 step %c1 {
        %0 = aie.objectfifo.acquire @i2(Consume, 1) : !aie.objectfifosubview<memref<8xi16>>
        %x = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi16>> -> memref<8xi16>
        %1 = aie.objectfifo.acquire @o2(Produce, 1) : !aie.objectfifosubview<memref<8xi16>>
        %y = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<8xi16>> -> memref<8xi16>
        func.call @twice8(%x, %y) : (memref<8xi16>, memref<8xi16>) -> ()
        aie.objectfifo.release @i2(Consume, 1)
        aie.objectfifo.release @o2(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a : memref<96xi16>, %b : memref<96xi16>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<96xi16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 3, 32][0, 0, 32, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<96xi16>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
