// dimensionsFromStream on the memtile, dimensionsToStream on the core, in i8.
module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %c = aie.tile(0, 2)
    aie.objectfifo @in(%s, {%m dimensionsFromStream [<size = 8, stride = 4>, <size = 4, stride = 32>, <size = 4, stride = 1>]}, 2 : i32) : !aie.objectfifo<memref<128xi8>>
    aie.objectfifo @mid(%m, {%c}, 2 : i32) : !aie.objectfifo<memref<128xi8>>
    aie.objectfifo.link [@in] -> [@mid]([] [])
    aie.objectfifo @out(%c dimensionsToStream [<size = 8, stride = 4>, <size = 4, stride = 32>, <size = 4, stride = 1>], {%s}, 2 : i32) : !aie.objectfifo<memref<128xi8>>
    %core = aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %cm = arith.constant 4294967295 : index
      scf.for %x = %c0 to %cm step %c1 {
        %0 = aie.objectfifo.acquire @mid(Consume, 1) : !aie.objectfifosubview<memref<128xi8>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<128xi8>> -> memref<128xi8>
        %2 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<128xi8>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<128xi8>> -> memref<128xi8>
        scf.for %i = %c0 to %c128 step %c1 {
          %v = memref.load %1[%i] : memref<128xi8>
          memref.store %v, %3[%i] : memref<128xi8>
        }
        aie.objectfifo.release @mid(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%x : memref<256xi8>, %y : memref<256xi8>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<256xi8>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<256xi8>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
