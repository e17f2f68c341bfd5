// C[16, 8] = A[16, 12] x B[12, 8] on one core in tiles of 8 x 4, 4 x 4 and 8 x 4; the memtile turns A's tiles into 4 x 2 micro-tiles.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %mem_tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @inA(%shim_noc_tile_0_0, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo @memA(%mem_tile_0_1 dimensionsToStream [<size = 2, stride = 16>, <size = 2, stride = 2>, <size = 4, stride = 4>, <size = 2, stride = 1>], {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo.link [@inA] -> [@memA]([] [])
    aie.objectfifo @inB(%shim_noc_tile_0_0, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @memB(%mem_tile_0_1, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo.link [@inB] -> [@memB]([] [0])
    aie.objectfifo @memC(%tile_0_2, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo @outC(%mem_tile_0_1, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo.link [@memC] -> [@outC]([] [])
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0 : i32
      %c4294967295 = arith.constant 4294967295 : index
      scf.for %forever = %c0 to %c4294967295 step %c1 {
        scf.for %tile = %c0 to %c4 step %c1 {
          %0 = aie.objectfifo.acquire @memC(Produce, 1) : !aie.objectfifosubview<memref<32xi32>>
          %c = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<32xi32>> -> memref<32xi32>
          scf.for %i = %c0 to %c32 step %c1 {
            memref.store %zero, %c[%i] : memref<32xi32>
          }
          scf.for %k = %c0 to %c3 step %c1 {
            %1 = aie.objectfifo.acquire @memA(Consume, 1) : !aie.objectfifosubview<memref<32xi32>>
            %a = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<32xi32>> -> memref<32xi32>
            %2 = aie.objectfifo.acquire @memB(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
            %b = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
            scf.for %ib = %c0 to %c2 step %c1 {
              scf.for %kb = %c0 to %c2 step %c1 {
                scf.for %i = %c0 to %c4 step %c1 {
                  scf.for %kk = %c0 to %c2 step %c1 {
                    scf.for %j = %c0 to %c4 step %c1 {
                      %a0 = arith.muli %ib, %c16 : index
                      %a1 = arith.muli %kb, %c8 : index
                      %a2 = arith.muli %i, %c2 : index
                      %a3 = arith.addi %a0, %a1 : index
                      %a4 = arith.addi %a2, %kk : index
                      %a5 = arith.addi %a3, %a4 : index
                      %av = memref.load %a[%a5] : memref<32xi32>
                      %b0 = arith.muli %kb, %c2 : index
                      %b1 = arith.addi %b0, %kk : index
                      %b2 = arith.muli %b1, %c4 : index
                      %b3 = arith.addi %b2, %j : index
                      %bv = memref.load %b[%b3] : memref<16xi32>
                      %d0 = arith.muli %ib, %c4 : index
                      %d1 = arith.addi %d0, %i : index
                      %d2 = arith.muli %d1, %c4 : index
                      %d3 = arith.addi %d2, %j : index
                      %cv = memref.load %c[%d3] : memref<32xi32>
                      %p = arith.muli %av, %bv : i32
                      %s = arith.addi %cv, %p : i32
                      memref.store %s, %c[%d3] : memref<32xi32>
                    }
                  }
                }
              }
            }
            aie.objectfifo.release @memA(Consume, 1)
            aie.objectfifo.release @memB(Consume, 1)
          }
          aie.objectfifo.release @memC(Produce, 1)
        }
      }
      aie.end
    } {stack_size = 2048 : i32}
    aie.runtime_sequence(%A: memref<192xi32>, %B: memref<96xi32>, %C: memref<128xi32>) {
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 0][2, 2, 8, 4][64, 4, 8, 1]) {id = 0 : i64, metadata = @outC} : memref<128xi32>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 0][2, 3, 8, 4][0, 4, 12, 1]) {id = 1 : i64, metadata = @inA} : memref<192xi32>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][2, 3, 4, 4][4, 32, 8, 1]) {id = 2 : i64, metadata = @inB} : memref<96xi32>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 96][2, 3, 8, 4][0, 4, 12, 1]) {id = 3 : i64, metadata = @inA} : memref<192xi32>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][2, 3, 4, 4][4, 32, 8, 1]) {id = 4 : i64, metadata = @inB} : memref<96xi32>
      aiex.npu.dma_wait {symbol = @outC}
    }
  }
}
