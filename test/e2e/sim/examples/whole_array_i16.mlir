// Matmul on four columns and two rows: A sent along rows, B along columns, C joined on memtiles and transposed on the way.
module {
  aie.device(npu1) {
    %s0 = aie.tile(0, 0)
    %m0 = aie.tile(0, 1)
    %s1 = aie.tile(1, 0)
    %m1 = aie.tile(1, 1)
    %s2 = aie.tile(2, 0)
    %m2 = aie.tile(2, 1)
    %s3 = aie.tile(3, 0)
    %m3 = aie.tile(3, 1)
    %t00 = aie.tile(0, 2)
    %t01 = aie.tile(0, 3)
    %t10 = aie.tile(1, 2)
    %t11 = aie.tile(1, 3)
    %t20 = aie.tile(2, 2)
    %t21 = aie.tile(2, 3)
    %t30 = aie.tile(3, 2)
    %t31 = aie.tile(3, 3)
    func.func private @zero_i32(memref<8x8xi32>)
    func.func private @matmul_scalar_i16_i32(memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>)
    aie.objectfifo @A_L3L2_0(%s0, {%m0}, 2 : i32) : !aie.objectfifo<memref<128xi16>>
    aie.objectfifo @A_L2L1_0(%m0, {%t00, %t10, %t20, %t30}, 2 : i32) : !aie.objectfifo<memref<8x16xi16>>
    aie.objectfifo.link [@A_L3L2_0] -> [@A_L2L1_0]([] [])
    aie.objectfifo @A_L3L2_1(%s1, {%m1}, 2 : i32) : !aie.objectfifo<memref<128xi16>>
    aie.objectfifo @A_L2L1_1(%m1, {%t01, %t11, %t21, %t31}, 2 : i32) : !aie.objectfifo<memref<8x16xi16>>
    aie.objectfifo.link [@A_L3L2_1] -> [@A_L2L1_1]([] [])
    aie.objectfifo @B_L3L2_0(%s0, {%m0}, 2 : i32) : !aie.objectfifo<memref<128xi16>>
    aie.objectfifo @B_L2L1_0(%m0, {%t00, %t01}, 2 : i32) : !aie.objectfifo<memref<16x8xi16>>
    aie.objectfifo.link [@B_L3L2_0] -> [@B_L2L1_0]([] [])
    aie.objectfifo @C_L1L2_0_0(%t00, {%m0}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @C_L1L2_0_1(%t01, {%m0}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @C_L2L3_0(%m0 dimensionsToStream [<size = 8, stride = 1>, <size = 8, stride = 8>], {%s0}, 2 : i32) : !aie.objectfifo<memref<128xi32>>
    aie.objectfifo.link [@C_L1L2_0_0, @C_L1L2_0_1] -> [@C_L2L3_0]([0, 64] [])
    aie.objectfifo @B_L3L2_1(%s1, {%m1}, 2 : i32) : !aie.objectfifo<memref<128xi16>>
    aie.objectfifo @B_L2L1_1(%m1, {%t10, %t11}, 2 : i32) : !aie.objectfifo<memref<16x8xi16>>
    aie.objectfifo.link [@B_L3L2_1] -> [@B_L2L1_1]([] [])
    aie.objectfifo @C_L1L2_1_0(%t10, {%m1}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @C_L1L2_1_1(%t11, {%m1}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @C_L2L3_1(%m1 dimensionsToStream [<size = 8, stride = 1>, <size = 8, stride = 8>], {%s1}, 2 : i32) : !aie.objectfifo<memref<128xi32>>
    aie.objectfifo.link [@C_L1L2_1_0, @C_L1L2_1_1] -> [@C_L2L3_1]([0, 64] [])
    aie.objectfifo @B_L3L2_2(%s2, {%m2}, 2 : i32) : !aie.objectfifo<memref<128xi16>>
    aie.objectfifo @B_L2L1_2(%m2, {%t20, %t21}, 2 : i32) : !aie.objectfifo<memref<16x8xi16>>
    aie.objectfifo.link [@B_L3L2_2] -> [@B_L2L1_2]([] [])
    aie.objectfifo @C_L1L2_2_0(%t20, {%m2}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @C_L1L2_2_1(%t21, {%m2}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @C_L2L3_2(%m2 dimensionsToStream [<size = 8, stride = 1>, <size = 8, stride = 8>], {%s2}, 2 : i32) : !aie.objectfifo<memref<128xi32>>
    aie.objectfifo.link [@C_L1L2_2_0, @C_L1L2_2_1] -> [@C_L2L3_2]([0, 64] [])
    aie.objectfifo @B_L3L2_3(%s3, {%m3}, 2 : i32) : !aie.objectfifo<memref<128xi16>>
    aie.objectfifo @B_L2L1_3(%m3, {%t30, %t31}, 2 : i32) : !aie.objectfifo<memref<16x8xi16>>
    aie.objectfifo.link [@B_L3L2_3] -> [@B_L2L1_3]([] [])
    aie.objectfifo @C_L1L2_3_0(%t30, {%m3}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @C_L1L2_3_1(%t31, {%m3}, 2 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @C_L2L3_3(%m3 dimensionsToStream [<size = 8, stride = 1>, <size = 8, stride = 8>], {%s3}, 2 : i32) : !aie.objectfifo<memref<128xi32>>
    aie.objectfifo.link [@C_L1L2_3_0, @C_L1L2_3_1] -> [@C_L2L3_3]([0, 64] [])
    %core_0_0 = aie.core(%t00) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @C_L1L2_0_0(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_i32(%1) : (memref<8x8xi32>) -> ()
        scf.for %j = %c0 to %c2 step %c1 {
          %2 = aie.objectfifo.acquire @A_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
          %4 = aie.objectfifo.acquire @B_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
          func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
          aie.objectfifo.release @A_L2L1_0(Consume, 1)
          aie.objectfifo.release @B_L2L1_0(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_0_0(Produce, 1)
      }
      aie.end
    } {link_with = "mm_8x16x8.o"}
    %core_0_1 = aie.core(%t01) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @C_L1L2_0_1(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_i32(%1) : (memref<8x8xi32>) -> ()
        scf.for %j = %c0 to %c2 step %c1 {
          %2 = aie.objectfifo.acquire @A_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
          %4 = aie.objectfifo.acquire @B_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
          func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
          aie.objectfifo.release @A_L2L1_1(Consume, 1)
          aie.objectfifo.release @B_L2L1_0(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_0_1(Produce, 1)
      }
      aie.end
    } {link_with = "mm_8x16x8.o"}
    %core_1_0 = aie.core(%t10) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @C_L1L2_1_0(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_i32(%1) : (memref<8x8xi32>) -> ()
        scf.for %j = %c0 to %c2 step %c1 {
          %2 = aie.objectfifo.acquire @A_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
          %4 = aie.objectfifo.acquire @B_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
          func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
          aie.objectfifo.release @A_L2L1_0(Consume, 1)
          aie.objectfifo.release @B_L2L1_1(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_1_0(Produce, 1)
      }
      aie.end
    } {link_with = "mm_8x16x8.o"}
    %core_1_1 = aie.core(%t11) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @C_L1L2_1_1(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_i32(%1) : (memref<8x8xi32>) -> ()
        scf.for %j = %c0 to %c2 step %c1 {
          %2 = aie.objectfifo.acquire @A_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
          %4 = aie.objectfifo.acquire @B_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
          func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
          aie.objectfifo.release @A_L2L1_1(Consume, 1)
          aie.objectfifo.release @B_L2L1_1(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_1_1(Produce, 1)
      }
      aie.end
    } {link_with = "mm_8x16x8.o"}
    %core_2_0 = aie.core(%t20) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @C_L1L2_2_0(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_i32(%1) : (memref<8x8xi32>) -> ()
        scf.for %j = %c0 to %c2 step %c1 {
          %2 = aie.objectfifo.acquire @A_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
          %4 = aie.objectfifo.acquire @B_L2L1_2(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
          func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
          aie.objectfifo.release @A_L2L1_0(Consume, 1)
          aie.objectfifo.release @B_L2L1_2(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_2_0(Produce, 1)
      }
      aie.end
    } {link_with = "mm_8x16x8.o"}
    %core_2_1 = aie.core(%t21) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @C_L1L2_2_1(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_i32(%1) : (memref<8x8xi32>) -> ()
        scf.for %j = %c0 to %c2 step %c1 {
          %2 = aie.objectfifo.acquire @A_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
          %4 = aie.objectfifo.acquire @B_L2L1_2(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
          func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
          aie.objectfifo.release @A_L2L1_1(Consume, 1)
          aie.objectfifo.release @B_L2L1_2(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_2_1(Produce, 1)
      }
      aie.end
    } {link_with = "mm_8x16x8.o"}
    %core_3_0 = aie.core(%t30) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @C_L1L2_3_0(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_i32(%1) : (memref<8x8xi32>) -> ()
        scf.for %j = %c0 to %c2 step %c1 {
          %2 = aie.objectfifo.acquire @A_L2L1_0(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
          %4 = aie.objectfifo.acquire @B_L2L1_3(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
          func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
          aie.objectfifo.release @A_L2L1_0(Consume, 1)
          aie.objectfifo.release @B_L2L1_3(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_3_0(Produce, 1)
      }
      aie.end
    } {link_with = "mm_8x16x8.o"}
    %core_3_1 = aie.core(%t31) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @C_L1L2_3_1(Produce, 1) : !aie.objectfifosubview<memref<8x8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
        func.call @zero_i32(%1) : (memref<8x8xi32>) -> ()
        scf.for %j = %c0 to %c2 step %c1 {
          %2 = aie.objectfifo.acquire @A_L2L1_1(Consume, 1) : !aie.objectfifosubview<memref<8x16xi16>>
          %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8x16xi16>> -> memref<8x16xi16>
          %4 = aie.objectfifo.acquire @B_L2L1_3(Consume, 1) : !aie.objectfifosubview<memref<16x8xi16>>
          %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xi16>> -> memref<16x8xi16>
          func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<8x16xi16>, memref<16x8xi16>, memref<8x8xi32>) -> ()
          aie.objectfifo.release @A_L2L1_1(Consume, 1)
          aie.objectfifo.release @B_L2L1_3(Consume, 1)
        }
        aie.objectfifo.release @C_L1L2_3_1(Produce, 1)
      }
      aie.end
    } {link_with = "mm_8x16x8.o"}
    aie.runtime_sequence @sequence(%A: memref<512xi16>, %B: memref<1024xi16>, %C: memref<512xi32>) {
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 0][1, 1, 16, 8][0, 0, 32, 1]) {id = 0 : i64, metadata = @C_L2L3_0, issue_token = true} : memref<512xi32>
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 8][1, 1, 16, 8][0, 0, 32, 1]) {id = 0 : i64, metadata = @C_L2L3_1, issue_token = true} : memref<512xi32>
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 16][1, 1, 16, 8][0, 0, 32, 1]) {id = 0 : i64, metadata = @C_L2L3_2, issue_token = true} : memref<512xi32>
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 24][1, 1, 16, 8][0, 0, 32, 1]) {id = 0 : i64, metadata = @C_L2L3_3, issue_token = true} : memref<512xi32>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 0][1, 2, 8, 16][0, 16, 32, 1]) {id = 1 : i64, metadata = @A_L3L2_0} : memref<512xi16>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 256][1, 2, 8, 16][0, 16, 32, 1]) {id = 1 : i64, metadata = @A_L3L2_1} : memref<512xi16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][1, 1, 32, 8][0, 0, 32, 1]) {id = 2 : i64, metadata = @B_L3L2_0} : memref<1024xi16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 8][1, 1, 32, 8][0, 0, 32, 1]) {id = 2 : i64, metadata = @B_L3L2_1} : memref<1024xi16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 16][1, 1, 32, 8][0, 0, 32, 1]) {id = 2 : i64, metadata = @B_L3L2_2} : memref<1024xi16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 24][1, 1, 32, 8][0, 0, 32, 1]) {id = 2 : i64, metadata = @B_L3L2_3} : memref<1024xi16>
      aiex.npu.dma_wait {symbol = @C_L2L3_0}
      aiex.npu.dma_wait {symbol = @C_L2L3_1}
      aiex.npu.dma_wait {symbol = @C_L2L3_2}
      aiex.npu.dma_wait {symbol = @C_L2L3_3}
    }
  }
}
