// Transfers of i16 with offsets, strides of zero and four dimensions; values from constants and numbers mixed.
module {
  aie.device(npu1_1col) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @fifoA(%tile_0_0, {%tile_0_2}, 1 : i32) : !aie.objectfifo<memref<8xi16>>
    aie.objectfifo @fifoB(%tile_0_0, {%tile_0_2}, 1 : i32) : !aie.objectfifo<memref<8xi16>>
    aie.objectfifo @fifoC(%tile_0_2, {%tile_0_0}, 1 : i32) : !aie.objectfifo<memref<16xi16>>
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %intmax = arith.constant 0xFFFFFFFF : index
      scf.for %arg2 = %c0 to %intmax step %c1 {
        %subviewC = aie.objectfifo.acquire @fifoC(Produce, 1) : !aie.objectfifosubview<memref<16xi16>>
        %elemC = aie.objectfifo.subview.access %subviewC[0] : !aie.objectfifosubview<memref<16xi16>> -> memref<16xi16>
        %subviewA = aie.objectfifo.acquire @fifoA(Consume, 1) : !aie.objectfifosubview<memref<8xi16>>
        %elemA = aie.objectfifo.subview.access %subviewA[0] : !aie.objectfifosubview<memref<8xi16>> -> memref<8xi16>
        %subviewB = aie.objectfifo.acquire @fifoB(Consume, 1) : !aie.objectfifosubview<memref<8xi16>>
        %elemB = aie.objectfifo.subview.access %subviewB[0] : !aie.objectfifosubview<memref<8xi16>> -> memref<8xi16>
        scf.for %i = %c0 to %c8 step %c1 {
            %0 = memref.load %elemA[%i] : memref<8xi16>
            memref.store %0, %elemC[%i] : memref<16xi16>
        }
        scf.for %i = %c0 to %c8 step %c1 {
            %0 = memref.load %elemB[%i] : memref<8xi16>
            %1 = arith.addi %i, %c8 : index
            memref.store %0, %elemC[%1] : memref<16xi16>
        }
        aie.objectfifo.release @fifoA(Consume, 1)
        aie.objectfifo.release @fifoB(Consume, 1)
        aie.objectfifo.release @fifoC(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a : memref<4x2x8xi16>, %b : memref<2x2xi32>, %c : memref<4x2x2x4xi16>) {
        %c0 = arith.constant 0 : i64
        %c1 = arith.constant 1 : i64
        %c2 = arith.constant 2 : i64
        %c4 = arith.constant 4 : i64
        %c8 = arith.constant 8 : i64
        %c64 = arith.constant 64 : i64
        aiex.npu.dma_memcpy_nd (%c[%c0,%c0,%c0,%c0][%c1,%c1,%c1,%c64][%c0,%c0,%c0,%c1]) {metadata = @fifoC, id = 2 : i64, issue_token = true} : memref<4x2x2x4xi16>
        aiex.npu.dma_memcpy_nd (%a[%c0,%c0,%c0,%c0][%c4,%c1,%c2,%c4][%c0,%c0,%c8,%c1]) {metadata = @fifoA, id = 0 : i64} : memref<4x2x8xi16>
        aiex.npu.dma_memcpy_nd (%a[0, 1, 2, 0][1, 2, 2, 8][0, 16, 8, 1]) {metadata = @fifoB, id = 1 : i64} : memref<4x2x8xi16>
        aiex.npu.dma_wait {symbol = @fifoC}
    }
  }
}
