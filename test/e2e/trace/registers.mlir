// Words go through a core that adds 1, twice 16 of them. Trace units of the core, its memory, the memtile and the shim send to S2MM 1
// of the shim, set up by raw register writes as mlir-aie's trace utilities write them.
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
    aie.packet_flow(1) {
      aie.packet_source<%tile, Trace : 0>
      aie.packet_dest<%shim, DMA : 1>
    } {keep_pkt_header = true}
    aie.packet_flow(2) {
      aie.packet_source<%tile, Trace : 1>
      aie.packet_dest<%shim, DMA : 1>
    } {keep_pkt_header = true}
    aie.packet_flow(3) {
      aie.packet_source<%mem, Trace : 0>
      aie.packet_dest<%shim, DMA : 1>
    } {keep_pkt_header = true}
    aie.packet_flow(4) {
      aie.packet_source<%shim, Trace : 0>
      aie.packet_dest<%shim, DMA : 1>
    } {keep_pkt_header = true}
    aie.runtime_sequence @seq(%a: memref<32xi32>, %c: memref<32xi32>, %trace: memref<1024xi32>) {
      // core: timer reset, start and stop by broadcasts 15 and 14; EVENT_0, EVENT_1, VECTOR, STREAM_STALL, LOCK_STALL,
      // PORT_RUNNING_0 and 1 (DMA 0 in, DMA 0 out), LOCK_ACQUIRE
      aiex.npu.write32 {address = 0x34000 : ui32, column = 0 : i32, row = 2 : i32, value = 0x7A00 : ui32}
      aiex.npu.write32 {address = 0x340D0 : ui32, column = 0 : i32, row = 2 : i32, value = 0x797A0000 : ui32}
      aiex.npu.write32 {address = 0x340D4 : ui32, column = 0 : i32, row = 2 : i32, value = 1 : ui32}
      aiex.npu.write32 {address = 0x340E0 : ui32, column = 0 : i32, row = 2 : i32, value = 0x18252221 : ui32}
      aiex.npu.write32 {address = 0x340E4 : ui32, column = 0 : i32, row = 2 : i32, value = 0x2C4F4B1A : ui32}
      aiex.npu.write32 {address = 0x3FF00 : ui32, column = 0 : i32, row = 2 : i32, value = 0x121 : ui32}
      // its memory: S2MM 0 and MM2S 0 START_TASK, FINISHED_BD of both, S2MM 0 STALLED_LOCK and STREAM_STARVATION; edges of the latter
      aiex.npu.write32 {address = 0x14000 : ui32, column = 0 : i32, row = 2 : i32, value = 0x7A00 : ui32}
      aiex.npu.write32 {address = 0x140D0 : ui32, column = 0 : i32, row = 2 : i32, value = 0x797A0000 : ui32}
      aiex.npu.write32 {address = 0x140D4 : ui32, column = 0 : i32, row = 2 : i32, value = 0x1002 : ui32}
      aiex.npu.write32 {address = 0x14408 : ui32, column = 0 : i32, row = 2 : i32, value = 0x04230223 : ui32}
      aiex.npu.write32 {address = 0x140E0 : ui32, column = 0 : i32, row = 2 : i32, value = 0x19171513 : ui32}
      aiex.npu.write32 {address = 0x140E4 : ui32, column = 0 : i32, row = 2 : i32, value = 0x0C0B231F : ui32}
      // memtile: PORT_RUNNING_0 to 3: DMA 0 in (master), DMA 0 out (slave), DMA 1 in, DMA 1 out
      aiex.npu.write32 {address = 0x94000 : ui32, column = 0 : i32, row = 1 : i32, value = 0x9D00 : ui32}
      aiex.npu.write32 {address = 0x940D0 : ui32, column = 0 : i32, row = 1 : i32, value = 0x9C9D0000 : ui32}
      aiex.npu.write32 {address = 0x940D4 : ui32, column = 0 : i32, row = 1 : i32, value = 0x3003 : ui32}
      aiex.npu.write32 {address = 0x940E0 : ui32, column = 0 : i32, row = 1 : i32, value = 0x5C585450 : ui32}
      aiex.npu.write32 {address = 0x940E4 : ui32, column = 0 : i32, row = 1 : i32, value = 0 : ui32}
      aiex.npu.write32 {address = 0xB0F00 : ui32, column = 0 : i32, row = 1 : i32, value = 0x01210020 : ui32}
      // shim: S2MM 0 and MM2S 0 START_TASK and FINISHED_TASK, S2MM 0 FINISHED_BD
      aiex.npu.write32 {address = 0x34000 : ui32, column = 0 : i32, row = 0 : i32, value = 0x7F00 : ui32}
      aiex.npu.write32 {address = 0x340D0 : ui32, column = 0 : i32, row = 0 : i32, value = 0x7E7F0000 : ui32}
      aiex.npu.write32 {address = 0x340D4 : ui32, column = 0 : i32, row = 0 : i32, value = 0x2004 : ui32}
      aiex.npu.write32 {address = 0x340E0 : ui32, column = 0 : i32, row = 0 : i32, value = 0x1816100E : ui32}
      aiex.npu.write32 {address = 0x340E4 : ui32, column = 0 : i32, row = 0 : i32, value = 0x12 : ui32}
      // the buffer: BD 15, S2MM 1
      aiex.npu.writebd {bd_id = 15 : i32, buffer_length = 1024 : i32, buffer_offset = 0 : i32, burst_length = 64 : i32, column = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d0_zero_after = 0 : i32, d0_zero_before = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d1_zero_after = 0 : i32, d1_zero_before = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, d2_zero_after = 0 : i32, d2_zero_before = 0 : i32, enable_packet = 1 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, lock_rel_id = 0 : i32, lock_rel_val = 0 : i32, next_bd = 0 : i32, out_of_order_id = 0 : i32, packet_id = 1 : i32, packet_type = 0 : i32, row = 0 : i32, use_next_bd = 0 : i32, valid_bd = 1 : i32}
      aiex.npu.address_patch {addr = 119268 : ui32, arg_idx = 2 : i32, arg_plus = 0 : i32}
      aiex.npu.write32 {address = 119308 : ui32, column = 0 : i32, row = 0 : i32, value = 15 : ui32}
      // broadcasts 15 and 14 by user events 1 and 0, and the start
      aiex.npu.write32 {address = 0x3404C : ui32, column = 0 : i32, row = 0 : i32, value = 127 : ui32}
      aiex.npu.write32 {address = 0x34048 : ui32, column = 0 : i32, row = 0 : i32, value = 126 : ui32}
      aiex.npu.write32 {address = 0x34008 : ui32, column = 0 : i32, row = 0 : i32, value = 127 : ui32}
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<32xi32>
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.write32 {address = 0x34008 : ui32, column = 0 : i32, row = 0 : i32, value = 126 : ui32}
    }
  }
}
