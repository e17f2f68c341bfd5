// A core as blocks that branch for ever, and a core that loops by scf.while with a branch in it; both pass rows of 4 words on.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @between(%tile_0_2, {%tile_0_3}, 3 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @out(%tile_0_3, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      cf.br ^bb1
    ^bb1:
      %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
      %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      %2 = aie.objectfifo.acquire @between(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
      %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      scf.for %i = %c0 to %c4 step %c1 {
        %x = memref.load %1[%i] : memref<4xi32>
        memref.store %x, %3[%i] : memref<4xi32>
      }
      aie.objectfifo.release @in(Consume, 1)
      aie.objectfifo.release @between(Produce, 1)
      cf.br ^bb1
    }
    %core_0_3 = aie.core(%tile_0_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %true = arith.constant true
      scf.while : () -> () {
        scf.condition(%true)
      } do {
        %0 = aie.objectfifo.acquire @between(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %2 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %zero = arith.constant 0 : i32
        %first = memref.load %1[%c0] : memref<4xi32>
        %negative = arith.cmpi slt, %first, %zero : i32
        scf.if %negative {
          scf.for %i = %c0 to %c4 step %c1 {
            %x = memref.load %1[%i] : memref<4xi32>
            %y = arith.addi %x, %x : i32
            memref.store %y, %3[%i] : memref<4xi32>
          }
          aie.objectfifo.release @between(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        } else {
          scf.for %i = %c0 to %c4 step %c1 {
            %x = memref.load %1[%i] : memref<4xi32>
            memref.store %x, %3[%i] : memref<4xi32>
          }
          aie.objectfifo.release @between(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        }
        scf.yield
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<52xi32>, %b: memref<52xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 52][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<52xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 52][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<52xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
