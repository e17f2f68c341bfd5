// Three cores in a row multiply and add along the cascade; what they compute is in object files of their own.
module {
  aie.device(npu1_3col) @chain {
    func.func private @first(memref<32xi32>, i32) attributes {link_with = "chain.o"}
    func.func private @middle(memref<32xi32>, i32) attributes {link_with = "chain.o"}
    func.func private @last(memref<32xi32>, memref<32xi32>, i32) attributes {link_with = "chain.o"}
    %s0 = aie.tile(0, 0)
    %s2 = aie.tile(2, 0)
    %t0 = aie.tile(0, 2)
    %t1 = aie.tile(1, 2)
    %t2 = aie.tile(2, 2)
    aie.cascade_flow(%t0, %t1)
    aie.cascade_flow(%t1, %t2)
    aie.objectfifo @x(%s0, {%t0, %t1, %t2}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo @y(%t2, {%s2}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.core(%t0) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %n = arith.constant 32 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %s = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<32xi32>>
        %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<32xi32>> -> memref<32xi32>
        func.call @first(%e, %n) : (memref<32xi32>, i32) -> ()
        aie.objectfifo.release @x(Consume, 1)
      }
      aie.end
    } {link_with = "chain.o"}
    aie.core(%t1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %n = arith.constant 32 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %s = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<32xi32>>
        %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<32xi32>> -> memref<32xi32>
        func.call @middle(%e, %n) : (memref<32xi32>, i32) -> ()
        aie.objectfifo.release @x(Consume, 1)
      }
      aie.end
    } {link_with = "chain.o"}
    aie.core(%t2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %n = arith.constant 32 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %s = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<32xi32>>
        %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<32xi32>> -> memref<32xi32>
        %so = aie.objectfifo.acquire @y(Produce, 1) : !aie.objectfifosubview<memref<32xi32>>
        %o = aie.objectfifo.subview.access %so[0] : !aie.objectfifosubview<memref<32xi32>> -> memref<32xi32>
        func.call @last(%e, %o, %n) : (memref<32xi32>, memref<32xi32>, i32) -> ()
        aie.objectfifo.release @y(Produce, 1)
        aie.objectfifo.release @x(Consume, 1)
      }
      aie.end
    } {link_with = "chain.o"}
    aie.runtime_sequence @run(%a : memref<128xi32>, %b : memref<128xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 1 : i64, metadata = @y, issue_token = true} : memref<128xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 0 : i64, metadata = @x} : memref<128xi32>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
