// The memtile distributes with repeat_count, and joins what two cores make of it.
module {
  aie.device(npu1_1col) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    aie.objectfifo @in(%tile_0_0, {%tile_0_1}, 1 : i32) : !aie.objectfifo<memref<36xi32>>
    aie.objectfifo @in2(%tile_0_1, {%tile_0_2}, 2 : i32) {repeat_count = 4 : i32} : !aie.objectfifo<memref<18xi32>>
    aie.objectfifo @in3(%tile_0_1, {%tile_0_3}, 2 : i32) {repeat_count = 4 : i32} : !aie.objectfifo<memref<18xi32>>
    aie.objectfifo @out2(%tile_0_2, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<18xi32>>
    aie.objectfifo @out3(%tile_0_3, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<18xi32>>
    aie.objectfifo @out(%tile_0_1, {%tile_0_0}, 2 : i32) : !aie.objectfifo<memref<36xi32>>
    aie.objectfifo.link [@in] -> [@in2, @in3] ([] [0, 18])
    aie.objectfifo.link [@out2, @out3] -> [@out] ([0, 18] [])
    %core12 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c18 = arith.constant 18 : index
      %cmax = arith.constant 0xFFFFFFFF : index
      scf.for %arg0 = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @in2(Consume, 1) : !aie.objectfifosubview<memref<18xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<18xi32>> -> memref<18xi32>
        %2 = aie.objectfifo.acquire @out2(Produce, 1) : !aie.objectfifosubview<memref<18xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<18xi32>> -> memref<18xi32>
        scf.for %arg1 = %c0 to %c18 step %c1 {
          %4 = memref.load %1[%arg1] : memref<18xi32>
          %c1_i32 = arith.constant 1 : i32
          %5 = arith.addi %4, %c1_i32 : i32
          memref.store %5, %3[%arg1] : memref<18xi32>
        }
        aie.objectfifo.release @in2(Consume, 1)
        aie.objectfifo.release @out2(Produce, 1)
      }
      aie.end
    }
    %core13 = aie.core(%tile_0_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c18 = arith.constant 18 : index
      %cmax = arith.constant 0xFFFFFFFF : index
      scf.for %arg0 = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @in3(Consume, 1) : !aie.objectfifosubview<memref<18xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<18xi32>> -> memref<18xi32>
        %2 = aie.objectfifo.acquire @out3(Produce, 1) : !aie.objectfifosubview<memref<18xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<18xi32>> -> memref<18xi32>
        scf.for %arg1 = %c0 to %c18 step %c1 {
          %4 = memref.load %1[%arg1] : memref<18xi32>
          %c2_i32 = arith.constant 2 : i32
          %5 = arith.addi %4, %c2_i32 : i32
          memref.store %5, %3[%arg1] : memref<18xi32>
        }
        aie.objectfifo.release @in3(Consume, 1)
        aie.objectfifo.release @out3(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%in : memref<36xi32>, %buf : memref<1xi32>, %out : memref<144xi32>) {
      aiex.npu.dma_memcpy_nd (%out[0, 0, 0, 0][1, 1, 1, 144][0, 0, 0, 1]) {metadata = @out, id = 1 : i64, issue_token = true} : memref<144xi32>
      aiex.npu.dma_memcpy_nd (%in[0, 0, 0, 0][1, 1, 1, 36][0, 0, 0, 1]) {metadata = @in, id = 0 : i64} : memref<36xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
