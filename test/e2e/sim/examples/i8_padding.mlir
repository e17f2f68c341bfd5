// The memtile pads rows of i8; dimensionsToStream with padDimensions.
module {
  aie.device(npu1_1col) {
    func.func @sequence(%arg0: memref<56x56xi8>, %arg1: memref<56x56xi8>, %arg2: memref<64x64xi8>) {
      aiex.npu.dma_memcpy_nd(0, 0, %arg0[0, 0, 0, 0] [1, 1, 56, 56] [0, 0, 56, 1]) {id = 0 : i64, metadata = @objFifo_in0} : memref<56x56xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg2[0, 0, 0, 0] [1, 1, 64, 64] [0, 0, 64, 1]) {id = 1 : i64, metadata = @objFifo_out0, issue_token = true} : memref<64x64xi8>
      aiex.npu.dma_wait {symbol = @objFifo_out0}
      return
    }
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @objFifo_in0(%tile_0_0, {%tile_0_1}, 1 : i32) : !aie.objectfifo<memref<56x56xi8>>
    aie.objectfifo @objFifo_in1(%tile_0_1 dimensionsToStream [<size = 56, stride = 56>, <size = 56, stride = 1>] padDimensions [<const_pad_before = 4, const_pad_after = 4>, <const_pad_before = 4, const_pad_after = 4>], {%tile_0_2}, 1 : i32) : !aie.objectfifo<memref<64x64xi8>>
    aie.objectfifo.link [@objFifo_in0] -> [@objFifo_in1]([] [])
    aie.objectfifo @objFifo_out1(%tile_0_2, {%tile_0_1}, 1 : i32) : !aie.objectfifo<memref<64x64xi8>>
    aie.objectfifo @objFifo_out0(%tile_0_1, {%tile_0_0}, 1 : i32) : !aie.objectfifo<memref<64x64xi8>>
    aie.objectfifo.link [@objFifo_out1] -> [@objFifo_out0]([] [])
    aie.core(%tile_0_2) {
      %c12_i8 = arith.constant 12 : i8
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %0 = aie.objectfifo.acquire @objFifo_in1(Consume, 1) : !aie.objectfifosubview<memref<64x64xi8>>
      %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<64x64xi8>> -> memref<64x64xi8>
      %2 = aie.objectfifo.acquire @objFifo_out1(Produce, 1) : !aie.objectfifosubview<memref<64x64xi8>>
      %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<64x64xi8>> -> memref<64x64xi8>
      scf.for %arg0 = %c0 to %c64 step %c1 {
        scf.for %arg1 = %c0 to %c64 step %c1 {
          %4 = memref.load %1[%arg0, %arg1] : memref<64x64xi8>
          %5 = arith.addi %4, %c12_i8 : i8
          memref.store %5, %3[%arg0, %arg1] : memref<64x64xi8>
        }
      }
      aie.objectfifo.release @objFifo_in1(Consume, 1)
      aie.objectfifo.release @objFifo_out1(Produce, 1)
      aie.end
    }
  }
}
