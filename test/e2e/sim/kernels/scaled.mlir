// A kernel with a result scales rows of bf16 by what comes along the cascade; its buffers are in memory space 2.
module {
  aie.device(npu2_1col) {
    func.func private @k(memref<32xbf16, 2 : i32>, memref<32xbf16, 2 : i32>) -> i32 attributes {link_with = "k.o"}
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %u = aie.tile(0, 3)
    aie.cascade_flow(%u, %t)
    aie.objectfifo @in(%s, {%t}, 2 : i32) : !aie.objectfifo<memref<32xbf16, 2 : i32>>
    aie.objectfifo @out(%t, {%s}, 2 : i32) : !aie.objectfifo<memref<32xbf16, 2 : i32>>
    aie.core(%u) {
      %v = arith.constant dense<2.0> : vector<32xbf16>
      aie.put_cascade(%v : vector<32xbf16>)
      aie.put_cascade(%v : vector<32xbf16>)
      aie.end
    }
    %r = aie.buffer(%t) : memref<1xi32>
    aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %i = %c0 to %c2 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<32xbf16, 2 : i32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<32xbf16, 2 : i32>> -> memref<32xbf16, 2 : i32>
        %2 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<32xbf16, 2 : i32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<32xbf16, 2 : i32>> -> memref<32xbf16, 2 : i32>
        %x = func.call @k(%1, %3) : (memref<32xbf16, 2 : i32>, memref<32xbf16, 2 : i32>) -> i32
        memref.store %x, %r[%c0] : memref<1xi32>
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<64xbf16>, %b: memref<64xbf16>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<64xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<64xbf16>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
