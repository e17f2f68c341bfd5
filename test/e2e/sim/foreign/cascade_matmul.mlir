// Two cores, one above the other, share K of a matrix product, as in mlir-aie's cascade example; their kernels are its own.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %mem_tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    aie.cascade_flow(%tile_0_3, %tile_0_2)
    func.func private @zero_scalar_i32(memref<8x8xi32>)
    func.func private @matmul_scalar_cascade_put_only_i16_i32(memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>)
    func.func private @matmul_scalar_cascade_get_only_i16_i32(memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>)
    %c_unused = aie.buffer(%tile_0_3) {sym_name = "c_unused"} : memref<8x8xi32>
    aie.objectfifo @inA(%shim_noc_tile_0_0, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<256xi16>>
    aie.objectfifo @A0(%mem_tile_0_1, {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<8x16xi16>>
    aie.objectfifo @A1(%mem_tile_0_1, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<8x16xi16>>
    aie.objectfifo.link [@inA] -> [@A0, @A1]([] [0, 128])
    aie.objectfifo @inB(%shim_noc_tile_0_0, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<256xi16>>
    aie.objectfifo @B0(%mem_tile_0_1, {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<16x8xi16>>
    aie.objectfifo @B1(%mem_tile_0_1, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<16x8xi16>>
    aie.objectfifo.link [@inB] -> [@B0, @B1]([] [0, 128])
    aie.objectfifo @outC(%tile_0_2, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    %core_0_3 = aie.core(%tile_0_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %i = %c0 to %c2 step %c1 {
        %0 = aie.objectfifo.acquire @A0(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
        %a = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
        %1 = aie.objectfifo.acquire @B0(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
        %b = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
        func.call @matmul_scalar_cascade_put_only_i16_i32(%a, %b, %c_unused) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
        aie.objectfifo.release @A0(Consume, 1)
        aie.objectfifo.release @B0(Consume, 1)
      }
      aie.end
    } {link_with = "cascade_mm.o"}
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %i = %c0 to %c2 step %c1 {
        %2 = aie.objectfifo.acquire @outC(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %c = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_scalar_i32(%c) : (memref<8x8xi32>) -> ()
        %0 = aie.objectfifo.acquire @A1(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
        %a = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
        %1 = aie.objectfifo.acquire @B1(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
        %b = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
        func.call @matmul_scalar_cascade_get_only_i16_i32(%a, %b, %c) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
        aie.objectfifo.release @A1(Consume, 1)
        aie.objectfifo.release @B1(Consume, 1)
        aie.objectfifo.release @outC(Produce, 1)
      }
      aie.end
    } {link_with = "cascade_mm.o"}
    aie.runtime_sequence(%A: memref<16x32xi16>, %B: memref<32x8xi16>, %C: memref<16x8xi32>) {
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 0 : i64, metadata = @outC, issue_token = true} : memref<16x8xi32>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 0][2, 2, 8, 16][256, 16, 32, 1]) {id = 1 : i64, metadata = @inA} : memref<16x32xi16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][2, 1, 1, 256][0, 0, 0, 1]) {id = 2 : i64, metadata = @inB} : memref<32x8xi16>
      aiex.npu.dma_wait {symbol = @outC}
    }
  }
}
