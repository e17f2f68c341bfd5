// As IRON prints a design before its tiles are placed.
module {
  aie.device(npu1) {
    %logical_core = aie.logical_tile<CoreTile>(?, ?)
    %logical_core_0 = aie.logical_tile<CoreTile>(?, ?)
    %logical_mem = aie.logical_tile<MemTile>(?, ?)
    %logical_shim_noc = aie.logical_tile<ShimNOCTile>(?, ?)
    %logical_shim_noc_1 = aie.logical_tile<ShimNOCTile>(1, 0)
    aie.objectfifo @in(%logical_shim_noc, {%logical_mem}, 2 : i32) : !aie.objectfifo<memref<32xi16>> 
    aie.objectfifo @a(%logical_mem, {%logical_core}, 2 : i32) : !aie.objectfifo<memref<16xi16>> 
    aie.objectfifo @b(%logical_mem, {%logical_core_0}, 2 : i32) : !aie.objectfifo<memref<16xi16>> 
    aie.objectfifo.link [@in] -> [@a, @b]([] [0, 16])
    aie.objectfifo @oa(%logical_core, {%logical_shim_noc}, 2 : i32) : !aie.objectfifo<memref<16xi16>> 
    aie.objectfifo @ob(%logical_core_0, {%logical_shim_noc_1}, 2 : i32) : !aie.objectfifo<memref<16xi16>> 
    %c1core = aie.core(%logical_core) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      scf.for %i = %c0 to %c4 step %c1 {
        %0 = aie.objectfifo.acquire @a(Consume, 1) : !aie.objectfifosubview<memref<16xi16>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi16>> -> memref<16xi16>
        %2 = aie.objectfifo.acquire @oa(Produce, 1) : !aie.objectfifosubview<memref<16xi16>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi16>> -> memref<16xi16>
        memref.copy %1, %3 : memref<16xi16> to memref<16xi16>
        aie.objectfifo.release @a(Consume, 1)
        aie.objectfifo.release @oa(Produce, 1)
      }
      aie.end
    }
    %c2core = aie.core(%logical_core_0) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %cst = arith.constant dense<-1> : vector<16xi16>
      scf.for %i = %c0 to %c4 step %c1 {
        %0 = aie.objectfifo.acquire @b(Consume, 1) : !aie.objectfifosubview<memref<16xi16>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi16>> -> memref<16xi16>
        %2 = aie.objectfifo.acquire @ob(Produce, 1) : !aie.objectfifosubview<memref<16xi16>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<16xi16>> -> memref<16xi16>
        %v = vector.load %1[%c0] : memref<16xi16>, vector<16xi16>
        %w = arith.muli %v, %cst : vector<16xi16>
        vector.store %w, %3[%c0] : memref<16xi16>, vector<16xi16>
        aie.objectfifo.release @b(Consume, 1)
        aie.objectfifo.release @ob(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%arg0: memref<128xi16>, %arg1: memref<64xi16>, %arg2: memref<64xi16>) {
      %0 = aiex.dma_configure_task_for @in {
        aie.dma_bd(%arg0 : memref<128xi16>, 0, 128)
        aie.end
      }
      aiex.dma_start_task(%0)
      %1 = aiex.dma_configure_task_for @oa {
        aie.dma_bd(%arg1 : memref<64xi16>, 0, 64)
        aie.end
      } {issue_token = true}
      %2 = aiex.dma_configure_task_for @ob {
        aie.dma_bd(%arg2 : memref<64xi16>, 0, 64)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%1)
      aiex.dma_start_task(%2)
      aiex.dma_await_task(%1)
      aiex.dma_await_task(%2)
    }
  }
}
