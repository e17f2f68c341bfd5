// A window over rows whose first turn differs, with dynamic_objfifo_lowering.
module {
  aie.device(npu1_1col) {
    func.func @add_10_i32(%a: memref<10xi32>, %b: memref<10xi32>, %o: memref<10xi32>) {
      affine.for %i = 0 to 10 {
        %0 = affine.load %a[%i] : memref<10xi32>
        %1 = affine.load %b[%i] : memref<10xi32>
        %2 = arith.addi %0, %1 : i32
        affine.store %2, %o[%i] : memref<10xi32>
      }
      return
    }
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @input_fifo(%tile_0_0, {%tile_0_2}, 3 : i32) : !aie.objectfifo<memref<10xi32>> 
    aie.objectfifo @output_fifo(%tile_0_2, {%tile_0_0}, 2 : i32) : !aie.objectfifo<memref<10xi32>> 
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c10 = arith.constant 10 : index
      %c9 = arith.constant 9 : index
      %c1 = arith.constant 1 : index
      scf.for %arg0 = %c0 to %c10 step %c1 {
        %0 = aie.objectfifo.acquire @output_fifo(Produce, 1) : !aie.objectfifosubview<memref<10xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<10xi32>> -> memref<10xi32>
        %2 = arith.cmpi eq, %arg0, %c0 : index
        scf.if %2 {
          %3 = aie.objectfifo.acquire @input_fifo(Consume, 1) : !aie.objectfifosubview<memref<10xi32>>
          %4 = aie.objectfifo.subview.access %3[0] : !aie.objectfifosubview<memref<10xi32>> -> memref<10xi32>
          func.call @add_10_i32(%4, %4, %1) : (memref<10xi32>, memref<10xi32>, memref<10xi32>) -> ()
        } else {
          %3 = aie.objectfifo.acquire @input_fifo(Consume, 2) : !aie.objectfifosubview<memref<10xi32>>
          %4 = aie.objectfifo.subview.access %3[0] : !aie.objectfifosubview<memref<10xi32>> -> memref<10xi32>
          %5 = aie.objectfifo.subview.access %3[1] : !aie.objectfifosubview<memref<10xi32>> -> memref<10xi32>
          func.call @add_10_i32(%4, %5, %1) : (memref<10xi32>, memref<10xi32>, memref<10xi32>) -> ()
          aie.objectfifo.release @input_fifo(Consume, 1)
        }
        aie.objectfifo.release @output_fifo(Produce, 1)
      }
      aie.objectfifo.release @input_fifo(Consume, 1)
      aie.end
    } {dynamic_objfifo_lowering = true}
    aie.runtime_sequence(%arg0: memref<10x10xi32>, %arg1: memref<10x10xi32>) {
      aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 1, 100][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @input_fifo} : memref<10x10xi32>
      aiex.npu.dma_memcpy_nd(%arg1[0, 0, 0, 0][1, 1, 1, 100][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @output_fifo} : memref<10x10xi32>
      aiex.npu.dma_wait {symbol = @output_fifo}
    }
  }
}
