// One input to two cores; the first sends 2x to its neighbour through shared memory, which sends 2x + x out with rows transposed.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2, %tile_0_3}, [2, 2, 3]) : !aie.objectfifo<memref<4x4xi32>>
    aie.objectfifo @between(%tile_0_2, {%tile_0_3}, 3 : i32) : !aie.objectfifo<memref<4x4xi32>>
    aie.objectfifo @out(%tile_0_3 dimensionsToStream [<size = 4, stride = 1>, <size = 4, stride = 4>], {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<4x4xi32>>
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c9223372036854775807 = arith.constant 9223372036854775807 : index
      scf.for %forever = %c0 to %c9223372036854775807 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<4x4xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4x4xi32>> -> memref<4x4xi32>
        %2 = aie.objectfifo.acquire @between(Produce, 1) : !aie.objectfifosubview<memref<4x4xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<4x4xi32>> -> memref<4x4xi32>
        scf.for %i = %c0 to %c4 step %c1 {
          scf.for %j = %c0 to %c4 step %c1 {
            %x = memref.load %1[%i, %j] : memref<4x4xi32>
            %y = arith.addi %x, %x : i32
            memref.store %y, %3[%i, %j] : memref<4x4xi32>
          }
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @between(Produce, 1)
      }
      aie.end
    }
    %core_0_3 = aie.core(%tile_0_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c9223372036854775807 = arith.constant 9223372036854775807 : index
      scf.for %forever = %c0 to %c9223372036854775807 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<4x4xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4x4xi32>> -> memref<4x4xi32>
        %2 = aie.objectfifo.acquire @between(Consume, 1) : !aie.objectfifosubview<memref<4x4xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<4x4xi32>> -> memref<4x4xi32>
        %4 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4x4xi32>>
        %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<4x4xi32>> -> memref<4x4xi32>
        scf.for %i = %c0 to %c4 step %c1 {
          scf.for %j = %c0 to %c4 step %c1 {
            %x = memref.load %1[%i, %j] : memref<4x4xi32>
            %y = memref.load %3[%i, %j] : memref<4x4xi32>
            %z = arith.addi %x, %y : i32
            memref.store %z, %5[%i, %j] : memref<4x4xi32>
          }
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @between(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<80xi32>, %b: memref<80xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 80][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<80xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 80][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<80xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
