module {
  aie.device(npu2_1col) {
    %t0 = aie.tile(0, 0)
    %t2 = aie.tile(0, 2)
    aie.objectfifo @in(%t0, {%t2}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @out(%t2, {%t0}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.core(%t2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c4 = arith.constant 4 : index
      scf.for %r = %c0 to %c4 step %c1 {
        %sum = aie.buffer(%t2) {sym_name = "sum"} : memref<16xi32> = dense<0>
        %a = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %av = aie.objectfifo.subview.access %a[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %b = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %bv = aie.objectfifo.subview.access %b[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        scf.for %i = %c0 to %c16 step %c1 {
          %x = memref.load %av[%i] : memref<16xi32>
          %y = memref.load %sum[%i] : memref<16xi32>
          %z = arith.addi %x, %y : i32
          memref.store %z, %sum[%i] : memref<16xi32>
          memref.store %z, %bv[%i] : memref<16xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%in: memref<64xi32>, %out: memref<64xi32>) {
      aiex.npu.dma_memcpy_nd(%out[0,0,0,0][1,1,1,64][0,0,0,1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%in[0,0,0,0][1,1,1,64][0,0,0,1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
