// Spring of 2024: aie.device(npu), a function as the runtime sequence, three strides.
module {
  aie.device(npu) {
    %tile00 = aie.tile(0, 0)
    %tile02 = aie.tile(0, 2)
    aie.objectfifo @objFifo_in0(%tile00, {%tile02}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @objFifo_out0(%tile02, {%tile00}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.core(%tile02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c3_i32 = arith.constant 3 : i32
      scf.for %steps = %c0 to %c8 step %c1 {
        %subview0 = aie.objectfifo.acquire @objFifo_in0(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %elem0 = aie.objectfifo.subview.access %subview0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %subview1 = aie.objectfifo.acquire @objFifo_out0(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %elem1 = aie.objectfifo.subview.access %subview1[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        scf.for %arg3 = %c0 to %c8 step %c1 {
          %0 = memref.load %elem0[%arg3] : memref<8xi32>
          %1 = arith.muli %0, %c3_i32 : i32
          memref.store %1, %elem1[%arg3] : memref<8xi32>
        }
        aie.objectfifo.release @objFifo_in0(Consume, 1)
        aie.objectfifo.release @objFifo_out0(Produce, 1)
      }
      aie.end
    }
    func.func @sequence(%in : memref<64xi32>, %buf : memref<32xi32>, %out : memref<64xi32>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c64 = arith.constant 64 : i64
      aiex.npu.dma_memcpy_nd (0, 0, %out[%c0,%c0,%c0,%c0][%c1,%c1,%c1,%c64][%c0,%c0,%c0]) { metadata = @objFifo_out0, id = 1 : i64 } : memref<64xi32>
      aiex.npu.dma_memcpy_nd (0, 0, %in[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0]) { metadata = @objFifo_in0, id = 0 : i64 } : memref<64xi32>
      aiex.npu.sync { column = 0 : i32, row = 0 : i32, direction = 0 : i32, channel = 0 : i32, column_num = 1 : i32, row_num = 1 : i32 }
      return
    }
  }
}
