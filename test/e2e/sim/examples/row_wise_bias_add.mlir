// A bias per column held over the tiles of a column; tiles of a matrix as tasks.
module {
  aie.device(npu1_1col) {
    func.func private @row_wise_bias_add_f32_f32(memref<16x8xf32>, memref<8xf32>, memref<16x8xf32>) attributes {link_with = "kernel.o"}
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<16x8xf32>> 
    aie.objectfifo @bias(%shim_noc_tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<8xf32>> 
    aie.objectfifo @out(%tile_0_2, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<16x8xf32>> 
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c4294967295 = arith.constant 4294967295 : index
      %c1 = arith.constant 1 : index
      scf.for %arg0 = %c0 to %c4294967295 step %c1 {
        %c0_0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        %c1_1 = arith.constant 1 : index
        scf.for %arg1 = %c0_0 to %c2 step %c1_1 {
          %0 = aie.objectfifo.acquire @bias(Consume, 1) : !aie.objectfifosubview<memref<8xf32>>
          %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xf32>> -> memref<8xf32>
          %c0_2 = arith.constant 0 : index
          %c2_3 = arith.constant 2 : index
          %c1_4 = arith.constant 1 : index
          scf.for %arg2 = %c0_2 to %c2_3 step %c1_4 {
            %2 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16x8xf32>>
            %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16x8xf32>> -> memref<16x8xf32>
            %4 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16x8xf32>>
            %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<16x8xf32>> -> memref<16x8xf32>
            func.call @row_wise_bias_add_f32_f32(%3, %1, %5) : (memref<16x8xf32>, memref<8xf32>, memref<16x8xf32>) -> ()
            aie.objectfifo.release @out(Produce, 1)
            aie.objectfifo.release @in(Consume, 1)
          }
          aie.objectfifo.release @bias(Consume, 1)
        }
      }
      aie.end
    }
    aiex.runtime_sequence @sequence(%arg0: memref<32x16xf32>, %arg1: memref<1x16xf32>, %arg2: memref<32x16xf32>) {
      %0 = aiex.dma_configure_task_for @in {
        aie.dma_bd(%arg0 : memref<32x16xf32>, 0, 512, [<size = 2, stride = 8>, <size = 32, stride = 16>, <size = 8, stride = 1>])
        aie.end
      } {issue_token = true}
      %1 = aiex.dma_configure_task_for @bias {
        aie.dma_bd(%arg1 : memref<1x16xf32>, 0, 16)
        aie.end
      } {issue_token = true}
      %2 = aiex.dma_configure_task_for @out {
        aie.dma_bd(%arg2 : memref<32x16xf32>, 0, 512, [<size = 2, stride = 8>, <size = 32, stride = 16>, <size = 8, stride = 1>])
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%0)
      aiex.dma_start_task(%1)
      aiex.dma_start_task(%2)
      aiex.dma_await_task(%2)
      aiex.dma_free_task(%0)
      aiex.dma_free_task(%1)
    }
  }
}
