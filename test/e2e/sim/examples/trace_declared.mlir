// aie.trace and its start in the runtime sequence.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<16xi32>> 
    aie.objectfifo @out(%tile_0_2, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<16xi32>> 
    aie.trace @core_trace(%tile_0_2) {
      aie.trace.mode "Event-Time"
      aie.trace.packet id = 1 type = core
      aie.trace.event <"INSTR_EVENT_0"> label = "kernel_start"
      aie.trace.event <"INSTR_EVENT_1">
      aie.trace.port<0> port = DMA channel = 0 direction = S2MM
      aie.trace.start broadcast = 15
      aie.trace.stop broadcast = 14
    }
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c-1 = arith.constant -1 : index
      %c4294967295 = arith.constant 4294967295 : index
      scf.for %arg0 = %c0 to %c4294967295 step %c1 {
        %2 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        aie.event(0)
        scf.for %arg1 = %c0 to %c16 step %c1 {
          %4 = memref.load %1[%arg1] : memref<16xi32>
          %5 = arith.index_cast %arg1 : index to i32
          %6 = arith.addi %4, %5 : i32
          memref.store %6, %3[%arg1] : memref<16xi32>
        }
        aie.event(1)
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    } {stack_size = 1024 : i32}
    aie.runtime_sequence(%arg0: memref<64xi32>, %arg1: memref<64xi32>, %arg2: memref<2048xi32>) {
      aie.trace.start_config @core_trace
      %0 = aiex.dma_configure_task_for @in {
        aie.dma_bd(%arg0 : memref<64xi32>, 0, 64, [<size = 1, stride = 0>, <size = 1, stride = 0>, <size = 1, stride = 0>, <size = 64, stride = 1>])
        aie.end
      } {issue_token = true}
      %1 = aiex.dma_configure_task_for @out {
        aie.dma_bd(%arg1 : memref<64xi32>, 0, 64, [<size = 1, stride = 0>, <size = 1, stride = 0>, <size = 1, stride = 0>, <size = 64, stride = 1>])
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%0)
      aiex.dma_start_task(%1)
      aiex.dma_await_task(%0)
      aiex.dma_await_task(%1)
      
      
    }
  }
}
