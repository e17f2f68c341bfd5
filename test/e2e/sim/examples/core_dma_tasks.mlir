// The runtime sequence configures a core tile's DMA with locks in its BDs, and reuses shim BDs after waiting.
module {
  aie.device(npu2_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %buf = aie.buffer(%t02) {sym_name = "buf", address = 1024 : i32} : memref<16xi16>
    %in_p = aie.lock(%t02, 0) {init = 1 : i32, sym_name = "in_p"}
    %in_c = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "in_c"}
    %out_c = aie.lock(%t02, 2) {init = 0 : i32, sym_name = "out_c"}
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %lim = arith.constant 1000 : i16
      scf.for %n = %c0 to %c2 step %c1 {
        aie.use_lock(%in_c, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %c16 step %c1 {
          %v = memref.load %buf[%i] : memref<16xi16>
          %d = arith.addi %v, %v : i16
          %k = arith.minsi %d, %lim : i16
          memref.store %k, %buf[%i] : memref<16xi16>
        }
        aie.use_lock(%out_c, Release, 1)
      }
      aie.end
    }
    aie.runtime_sequence @two(%a : memref<32xi16>, %b : memref<32xi16>) {
      %rx = aiex.dma_configure_task(%t02, S2MM, 0) {
        aie.use_lock(%in_p, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf : memref<16xi16>, 0, 16) {bd_id = 0 : i32}
        aie.use_lock(%in_c, Release, 1)
        aie.end
      } {repeat_count = 1 : i32}
      %tx = aiex.dma_configure_task(%t02, MM2S, 0) {
        aie.use_lock(%out_c, AcquireGreaterEqual, 1)
        aie.dma_bd(%buf : memref<16xi16>, 0, 16) {bd_id = 1 : i32}
        aie.use_lock(%in_p, Release, 1)
        aie.end
      } {repeat_count = 1 : i32}
      aiex.dma_start_task(%rx)
      aiex.dma_start_task(%tx)
      %o0 = aiex.dma_configure_task(%t00, S2MM, 0) {
        aie.dma_bd(%b : memref<32xi16>, 16, 16)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%o0)
      %i0 = aiex.dma_configure_task(%t00, MM2S, 0) {
        aie.dma_bd(%a : memref<32xi16>, 0, 16)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%i0)
      aiex.dma_await_task(%o0)
      aiex.dma_await_task(%i0)
      %o1 = aiex.dma_configure_task(%t00, S2MM, 0) {
        aie.dma_bd(%b : memref<32xi16>, 0, 16)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%o1)
      %i1 = aiex.dma_configure_task(%t00, MM2S, 0) {
        aie.dma_bd(%a : memref<32xi16>, 16, 16)
        aie.end
      }
      aiex.dma_start_task(%i1)
      aiex.dma_await_task(%o1)
      aiex.dma_free_task(%i1)
    }
  }
}
