// Kernels of mlir-aie's library by their names: zero, matmul, passThroughLine, in a core with link_with, over objectFifos.
module {
  aie.device(npu1_1col) {
    func.func private @zero_i32(memref<16x16xi32>)
    func.func private @matmul_scalar_i16_i32(memref<16x16xi16>, memref<16x16xi16>, memref<16x16xi32>)
    %shim = aie.tile(0, 0)
    %mem = aie.tile(0, 1)
    %tile = aie.tile(0, 2)
    aie.objectfifo @inA(%shim, {%mem}, 2 : i32) : !aie.objectfifo<memref<16x16xi16>>
    aie.objectfifo @memA(%mem, {%tile}, 2 : i32) : !aie.objectfifo<memref<16x16xi16>>
    aie.objectfifo.link [@inA] -> [@memA]([] [])
    aie.objectfifo @inB(%shim, {%mem}, 2 : i32) : !aie.objectfifo<memref<16x16xi16>>
    aie.objectfifo @memB(%mem, {%tile}, 2 : i32) : !aie.objectfifo<memref<16x16xi16>>
    aie.objectfifo.link [@inB] -> [@memB]([] [])
    aie.objectfifo @memC(%tile, {%mem}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo @outC(%mem, {%shim}, 2 : i32) : !aie.objectfifo<memref<16x16xi32>>
    aie.objectfifo.link [@memC] -> [@outC]([] [])
    %core_0_2 = aie.core(%tile) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %cmax = arith.constant 4294967295 : index
      scf.for %arg0 = %c0 to %cmax step %c1 {
        scf.for %arg1 = %c0 to %c4 step %c1 {
          %0 = aie.objectfifo.acquire @memC(Produce, 1) : !aie.objectfifosubview<memref<16x16xi32>>
          %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16x16xi32>> -> memref<16x16xi32>
          func.call @zero_i32(%1) : (memref<16x16xi32>) -> ()
          scf.for %arg2 = %c0 to %c2 step %c1 {
            %2 = aie.objectfifo.acquire @memA(Consume, 1) : !aie.objectfifosubview<memref<16x16xi16>>
            %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16x16xi16>> -> memref<16x16xi16>
            %4 = aie.objectfifo.acquire @memB(Consume, 1) : !aie.objectfifosubview<memref<16x16xi16>>
            %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x16xi16>> -> memref<16x16xi16>
            func.call @matmul_scalar_i16_i32(%3, %5, %1) : (memref<16x16xi16>, memref<16x16xi16>, memref<16x16xi32>) -> ()
            aie.objectfifo.release @memA(Consume, 1)
            aie.objectfifo.release @memB(Consume, 1)
          }
          aie.objectfifo.release @memC(Produce, 1)
        }
      }
      aie.end
    } {link_with = "mm_16x16x16.o", stack_size = 3328 : i32}
    // A is 32x32: tile row m is sent once for each of the two tile columns n; B is 32x32, walked by columns of tiles, twice.
    aie.runtime_sequence(%A: memref<1024xi16>, %B: memref<1024xi16>, %C: memref<1024xi32>) {
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 0][2, 2, 16, 16][512, 16, 32, 1]) {id = 0 : i64, metadata = @outC, issue_token = true} : memref<1024xi32>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 0][2, 2, 16, 16][0, 16, 32, 1]) {id = 1 : i64, metadata = @inA} : memref<1024xi16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][2, 2, 16, 16][16, 512, 32, 1]) {id = 2 : i64, metadata = @inB} : memref<1024xi16>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 512][2, 2, 16, 16][0, 16, 32, 1]) {id = 3 : i64, metadata = @inA} : memref<1024xi16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][2, 2, 16, 16][16, 512, 32, 1]) {id = 4 : i64, metadata = @inB} : memref<1024xi16>
      aiex.npu.dma_wait {symbol = @outC}
    }
  }
}
