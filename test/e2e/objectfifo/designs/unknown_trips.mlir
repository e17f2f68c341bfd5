// How many rows of 4 words a core doubles comes from the first row: no unrolling fits, the core counts.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2}, [2, 3]) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @out(%tile_0_2, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c4294967295 = arith.constant 4294967295 : index
      scf.for %forever = %c0 to %c4294967295 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %n = memref.load %1[%c0] : memref<4xi32>
        %rows = arith.index_cast %n : i32 to index
        aie.objectfifo.release @in(Consume, 1)
        scf.for %row = %c0 to %rows step %c1 {
          %2 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
          %4 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
          scf.for %i = %c0 to %c4 step %c1 {
            %x = memref.load %3[%i] : memref<4xi32>
            %y = arith.addi %x, %x : i32
            memref.store %y, %5[%i] : memref<4xi32>
          }
          aie.objectfifo.release @in(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        }
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<40xi32>, %b: memref<32xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 40][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<40xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
