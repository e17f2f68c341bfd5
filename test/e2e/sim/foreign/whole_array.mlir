// Matmul on 2x2 cores by hand: A tiles split by rows of cores and sent along rows, B along columns, C joined on the memtile of each column.
module {
  aie.device(npu1_2col) {
    %s0 = aie.tile(0, 0)
    %s1 = aie.tile(1, 0)
    %m0 = aie.tile(0, 1)
    %m1 = aie.tile(1, 1)
    %c02 = aie.tile(0, 2)
    %c03 = aie.tile(0, 3)
    %c12 = aie.tile(1, 2)
    %c13 = aie.tile(1, 3)
    func.func private @zero_vectorized_i32(memref<16x16xi32>)
    func.func private @mac(%A : memref<16x16xi32>, %B : memref<16x16xi32>, %C : memref<16x16xi32>) {
      linalg.matmul ins(%A, %B : memref<16x16xi32>, memref<16x16xi32>) outs(%C : memref<16x16xi32>)
      return
    }
    aie.objectfifo @A_L3L2_0(%s0, {%m0}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @A_L3L2_1(%s1, {%m1}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @A_L2L1_0(%m0, {%c02, %c12}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @A_L2L1_1(%m1, {%c03, %c13}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo.link [@A_L3L2_0] -> [@A_L2L1_0]([] [])
    aie.objectfifo.link [@A_L3L2_1] -> [@A_L2L1_1]([] [])
    aie.objectfifo @B_L3L2_0(%s0, {%m0}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @B_L3L2_1(%s1, {%m1}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @B_L2L1_0(%m0, {%c02, %c03}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @B_L2L1_1(%m1, {%c12, %c13}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo.link [@B_L3L2_0] -> [@B_L2L1_0]([] [])
    aie.objectfifo.link [@B_L3L2_1] -> [@B_L2L1_1]([] [])
    aie.objectfifo @C_L1L2_00(%c02, {%m0}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @C_L1L2_01(%c03, {%m0}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @C_L1L2_10(%c12, {%m1}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @C_L1L2_11(%c13, {%m1}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @C_L2L3_0(%m0, {%s0}, 2 : i32) : !aie.objectfifo<memref<32x16xi32>>
    aie.objectfifo @C_L2L3_1(%m1, {%s1}, 2 : i32) : !aie.objectfifo<memref<32x16xi32>>
    aie.objectfifo.link [@C_L1L2_00, @C_L1L2_01] -> [@C_L2L3_0]([0, 256] [])
    aie.objectfifo.link [@C_L1L2_10, @C_L1L2_11] -> [@C_L2L3_1]([0, 256] [])
    aie.core(%c02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        %sc = aie.objectfifo.acquire @C_L1L2_00(Produce, 1) : !aie.objectfifosubview<memref<16x16xi32>>
        %C = aie.objectfifo.subview.access %sc[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
        func.call @zero_vectorized_i32(%C) : (memref<16x16xi32>) -> ()
        scf.for %k = %c0 to %c3 step %c1 {
          %sa = aie.objectfifo.acquire @A_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %A = aie.objectfifo.subview.access %sa[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          %sb = aie.objectfifo.acquire @B_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %B = aie.objectfifo.subview.access %sb[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          func.call @mac(%A, %B, %C) : (memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32>) -> ()
          aie.objectfifo.release @A_L2L1_0(Consume, 1)
          aie.objectfifo.release @B_L2L1_0(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_00(Produce, 1)
      }
      aie.end
    } {link_with = "mm.o"}
    aie.core(%c03) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        %sc = aie.objectfifo.acquire @C_L1L2_01(Produce, 1) : !aie.objectfifosubview<memref<16x16xi32>>
        %C = aie.objectfifo.subview.access %sc[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
        func.call @zero_vectorized_i32(%C) : (memref<16x16xi32>) -> ()
        scf.for %k = %c0 to %c3 step %c1 {
          %sa = aie.objectfifo.acquire @A_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %A = aie.objectfifo.subview.access %sa[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          %sb = aie.objectfifo.acquire @B_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %B = aie.objectfifo.subview.access %sb[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          func.call @mac(%A, %B, %C) : (memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32>) -> ()
          aie.objectfifo.release @A_L2L1_1(Consume, 1)
          aie.objectfifo.release @B_L2L1_0(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_01(Produce, 1)
      }
      aie.end
    } {link_with = "mm.o"}
    aie.core(%c12) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        %sc = aie.objectfifo.acquire @C_L1L2_10(Produce, 1) : !aie.objectfifosubview<memref<16x16xi32>>
        %C = aie.objectfifo.subview.access %sc[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
        func.call @zero_vectorized_i32(%C) : (memref<16x16xi32>) -> ()
        scf.for %k = %c0 to %c3 step %c1 {
          %sa = aie.objectfifo.acquire @A_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %A = aie.objectfifo.subview.access %sa[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          %sb = aie.objectfifo.acquire @B_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %B = aie.objectfifo.subview.access %sb[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          func.call @mac(%A, %B, %C) : (memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32>) -> ()
          aie.objectfifo.release @A_L2L1_0(Consume, 1)
          aie.objectfifo.release @B_L2L1_1(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_10(Produce, 1)
      }
      aie.end
    } {link_with = "mm.o"}
    aie.core(%c13) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        %sc = aie.objectfifo.acquire @C_L1L2_11(Produce, 1) : !aie.objectfifosubview<memref<16x16xi32>>
        %C = aie.objectfifo.subview.access %sc[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
        func.call @zero_vectorized_i32(%C) : (memref<16x16xi32>) -> ()
        scf.for %k = %c0 to %c3 step %c1 {
          %sa = aie.objectfifo.acquire @A_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %A = aie.objectfifo.subview.access %sa[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          %sb = aie.objectfifo.acquire @B_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %B = aie.objectfifo.subview.access %sb[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          func.call @mac(%A, %B, %C) : (memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32>) -> ()
          aie.objectfifo.release @A_L2L1_1(Consume, 1)
          aie.objectfifo.release @B_L2L1_1(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_11(Produce, 1)
      }
      aie.end
    } {link_with = "mm.o"}
    // 64x32 = 64x48 . 48x32: two tiles of 32 rows, three of K, one of columns
    aie.runtime_sequence(%A : memref<64x48xi32>, %B : memref<48x32xi32>, %C : memref<64x32xi32>) {
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 0][1, 2, 32, 16][0, 1024, 32, 1]) {id = 0 : i64, metadata = @C_L2L3_0, issue_token = true} : memref<64x32xi32>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 0][2, 3, 16, 16][1536, 16, 48, 1]) {id = 1 : i64, metadata = @A_L3L2_0} : memref<64x48xi32>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][2, 3, 16, 16][0, 512, 32, 1]) {id = 2 : i64, metadata = @B_L3L2_0} : memref<48x32xi32>
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 16][1, 2, 32, 16][0, 1024, 32, 1]) {id = 0 : i64, metadata = @C_L2L3_1, issue_token = true} : memref<64x32xi32>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 16, 0][2, 3, 16, 16][1536, 16, 48, 1]) {id = 1 : i64, metadata = @A_L3L2_1} : memref<64x48xi32>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 16][2, 3, 16, 16][0, 512, 32, 1]) {id = 2 : i64, metadata = @B_L3L2_1} : memref<48x32xi32>
      aiex.npu.dma_wait {symbol = @C_L2L3_0}
      aiex.npu.dma_wait {symbol = @C_L2L3_1}
    }
  }
}
