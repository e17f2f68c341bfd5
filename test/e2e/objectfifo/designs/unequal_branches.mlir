// A window of two rows moves by one row or by two, as its first word says; of two results one is kept or both. What a branch
// holds on to is not taken again: the core counts.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2}, [2, 3]) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @out(%tile_0_2, {%shim_noc_tile_0_0}, [4, 2]) : !aie.objectfifo<memref<4xi32>>
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %c4294967295 = arith.constant 4294967295 : index
      scf.for %forever = %c0 to %c4294967295 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 2) : !aie.objectfifosubview<memref<4xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %2 = aie.objectfifo.subview.access %0[1] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %3 = aie.objectfifo.acquire @out(Produce, 2) : !aie.objectfifosubview<memref<4xi32>>
        %4 = aie.objectfifo.subview.access %3[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %5 = aie.objectfifo.subview.access %3[1] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        scf.for %i = %c0 to %c4 step %c1 {
          %x = memref.load %1[%i] : memref<4xi32>
          %y = memref.load %2[%i] : memref<4xi32>
          %s = arith.addi %x, %y : i32
          memref.store %s, %4[%i] : memref<4xi32>
          %d = arith.subi %x, %y : i32
          memref.store %d, %5[%i] : memref<4xi32>
        }
        %flag = memref.load %1[%c0] : memref<4xi32>
        %both = memref.load %1[%c1] : memref<4xi32>
        %far = arith.cmpi ne, %flag, %c0_i32 : i32
        scf.if %far {
          aie.objectfifo.release @in(Consume, 2)
        } else {
          aie.objectfifo.release @in(Consume, 1)
        }
        %case = arith.index_cast %both : i32 to index
        scf.index_switch %case
        case 1 {
          aie.objectfifo.release @out(Produce, 2)
          scf.yield
        }
        default {
          aie.objectfifo.release @out(Produce, 1)
        }
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<40xi32>, %b: memref<40xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 40][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<40xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 40][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<40xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
