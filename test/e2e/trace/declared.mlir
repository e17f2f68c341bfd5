// The design of registers.mlir with its traces declared: the passes of traces write the registers, flows and the buffer.
module {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %mem = aie.tile(0, 1)
    %tile = aie.tile(0, 2)
    aie.objectfifo @in(%shim, {%mem}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @in_core(%mem, {%tile}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo.link [@in] -> [@in_core] ([] [])
    aie.objectfifo @out(%tile, {%shim}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.core(%tile) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %one = arith.constant 1 : i32
      scf.for %n = %c0 to %c2 step %c1 {
        %a = aie.objectfifo.acquire @in_core(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %x = aie.objectfifo.subview.access %a[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %b = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %y = aie.objectfifo.subview.access %b[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        aie.event(0)
        scf.for %i = %c0 to %c16 step %c1 {
          %v = memref.load %x[%i] : memref<16xi32>
          %w = arith.addi %v, %one : i32
          memref.store %w, %y[%i] : memref<16xi32>
        }
        aie.event(1)
        aie.objectfifo.release @in_core(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.trace @core_trace(%tile) {
      aie.trace.mode "Event-Time"
      aie.trace.packet id = 1 type = core
      aie.trace.event <"INSTR_EVENT_0">
      aie.trace.event <CoreEventAIE2::INSTR_EVENT_1>
      aie.trace.event <"INSTR_LOAD">
      aie.trace.event <"LOCK_STALL"> label = "waits"
      aie.trace.event <"PORT_RUNNING_0">
      aie.trace.port<0> port = DMA channel = 0 direction = S2MM
      aie.trace.start broadcast = 15
      aie.trace.stop broadcast = 14
    }
    aie.trace @shim_trace(%shim) {
      aie.trace.event <"DMA_S2MM_0_START_TASK">
      aie.trace.event <"DMA_S2MM_0_FINISHED_TASK">
      aie.trace.start event = <"USER_EVENT_1">
      aie.trace.stop event = <"USER_EVENT_0">
    }
    aie.runtime_sequence @seq(%a: memref<32xi32>, %c: memref<32xi32>) {
      aie.trace.start_config @core_trace
      aie.trace.start_config @shim_trace
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
