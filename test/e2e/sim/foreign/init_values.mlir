// An objectFifo with initial values that its producer never fills, sent four times each (repeat_count), and a LUT as memref.global.
module {
  aie.device(npu2_1col) {
    memref.global "private" constant @lut : memref<8xi32> = dense<[10, 11, 13, 17, 19, 23, 29, 31]>
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @ramp(%tile_0_1, {%tile_0_2}, 2 : i32) {repeat_count = 4 : i32} : !aie.objectfifo<memref<4xi32>> = [dense<[0, 1, 2, 3]> : memref<4xi32>, dense<[7, 6, 5, 4]> : memref<4xi32>]
    aie.objectfifo @out(%tile_0_2, {%tile_0_0}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %table = memref.get_global @lut : memref<8xi32>
      scf.for %t = %c0 to %c8 step %c1 {
        %i = aie.objectfifo.acquire @ramp(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
        %x = aie.objectfifo.subview.access %i[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %o = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
        %y = aie.objectfifo.subview.access %o[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %turn = arith.index_cast %t : index to i32
        scf.for %k = %c0 to %c4 step %c1 {
          %v = memref.load %x[%k] : memref<4xi32>
          %a = arith.index_cast %v : i32 to index
          %w = memref.load %table[%a] : memref<8xi32>
          %s = arith.addi %w, %turn : i32
          memref.store %s, %y[%k] : memref<4xi32>
        }
        aie.objectfifo.release @ramp(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%dst: memref<32xi32>) {
      aiex.npu.dma_memcpy_nd(%dst[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
