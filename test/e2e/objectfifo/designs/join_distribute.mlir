// The memtile hands the two thirds and the third of 24 words to two cores and joins what they add to them.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %mem_tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<24xi32>>
    aie.objectfifo @in0(%mem_tile_0_1, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @in1(%mem_tile_0_1, {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo.link [@in] -> [@in0, @in1]([] [0, 16])
    aie.objectfifo @out0(%tile_0_2, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @out1(%tile_0_3, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @out(%mem_tile_0_1, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<24xi32>>
    aie.objectfifo.link [@out0, @out1] -> [@out]([0, 16] [])
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %ten = arith.constant 10 : i32
      %c9223372036854775807 = arith.constant 9223372036854775807 : index
      scf.for %forever = %c0 to %c9223372036854775807 step %c1 {
        %0 = aie.objectfifo.acquire @in0(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %2 = aie.objectfifo.acquire @out0(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        scf.for %i = %c0 to %c16 step %c1 {
          %x = memref.load %1[%i] : memref<16xi32>
          %y = arith.addi %x, %ten : i32
          memref.store %y, %3[%i] : memref<16xi32>
        }
        aie.objectfifo.release @in0(Consume, 1)
        aie.objectfifo.release @out0(Produce, 1)
      }
      aie.end
    }
    %core_0_3 = aie.core(%tile_0_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %hundred = arith.constant 100 : i32
      %c9223372036854775807 = arith.constant 9223372036854775807 : index
      scf.for %forever = %c0 to %c9223372036854775807 step %c1 {
        %0 = aie.objectfifo.acquire @in1(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %2 = aie.objectfifo.acquire @out1(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        scf.for %i = %c0 to %c8 step %c1 {
          %x = memref.load %1[%i] : memref<8xi32>
          %y = arith.addi %x, %hundred : i32
          memref.store %y, %3[%i] : memref<8xi32>
        }
        aie.objectfifo.release @in1(Consume, 1)
        aie.objectfifo.release @out1(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<96xi32>, %b: memref<96xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<96xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<96xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
