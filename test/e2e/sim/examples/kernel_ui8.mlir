// passThroughLine on ui8, tokens of inputs awaited, a module with name and attributes.
module @passthrough attributes {llvm.target_triple = "aie2"} {
  aie.device(npu1_1col) {
    func.func private @passThroughLine(memref<64xui8>, memref<64xui8>, i32)
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    aie.objectfifo @in(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<64xui8>>
    aie.objectfifo @out(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<64xui8>>
    %core = aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c1 {
        %0 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<64xui8>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<64xui8>> -> memref<64xui8>
        %2 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<64xui8>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<64xui8>> -> memref<64xui8>
        %c64_i32 = arith.constant 64 : i32
        func.call @passThroughLine(%3, %1, %c64_i32) : (memref<64xui8>, memref<64xui8>, i32) -> ()
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    } {link_with = "passThrough.cc.o"}
    aiex.runtime_sequence(%arg0: memref<256xui8>, %arg1: memref<256xui8>, %arg2: memref<256xui8>) {
      aiex.npu.dma_memcpy_nd(0, 0, %arg0[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 0 : i64, metadata = @in, issue_token = true} : memref<256xui8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg1[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<256xui8>
      aiex.npu.dma_wait {symbol = @in}
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
