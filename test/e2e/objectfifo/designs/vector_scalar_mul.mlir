// Each word times a factor that comes once, in rows of 16 words; five rows, an odd number for two buffers.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @infactor(%shim_noc_tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<1xi32>>
    aie.objectfifo @out(%tile_0_2, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c16 = arith.constant 16 : index
      %c9223372036854775807 = arith.constant 9223372036854775807 : index
      scf.for %forever = %c0 to %c9223372036854775807 step %c1 {
        %0 = aie.objectfifo.acquire @infactor(Consume, 1) : !aie.objectfifosubview<memref<1xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<1xi32>> -> memref<1xi32>
        scf.for %row = %c0 to %c5 step %c1 {
          %2 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
          %4 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
          scf.for %i = %c0 to %c16 step %c1 {
            %x = memref.load %5[%i] : memref<16xi32>
            %f = memref.load %1[%c0] : memref<1xi32>
            %y = arith.muli %x, %f : i32
            memref.store %y, %3[%i] : memref<16xi32>
          }
          aie.objectfifo.release @in(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        }
        aie.objectfifo.release @infactor(Consume, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<160xi32>, %f: memref<2xi32>, %b: memref<160xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 160][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<160xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 160][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<160xi32>
      aiex.npu.dma_memcpy_nd(%f[0, 0, 0, 0][1, 1, 1, 2][0, 0, 0, 1]) {id = 2 : i64, metadata = @infactor} : memref<2xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
