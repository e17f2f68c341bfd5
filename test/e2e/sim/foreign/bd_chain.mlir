// An aie.bd_chain of two arguments started twice on the shim, for a pass-through over an objectFifo without synchronization.
module {
  aie.device(npu2_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    aie.bd_chain @pair(%p: memref<16xi32>, %q: memref<16xi32>) {
      aie.dma_bd(%q : memref<16xi32>, 0, 16)
      aie.next_bd ^bb1
    ^bb1:
      aie.dma_bd(%p : memref<16xi32>, 8, 8)
      aie.end
    }
    aie.objectfifo @in(%t00, {%t01}, 2 : i32) : !aie.objectfifo<memref<24xi32>>
    aie.objectfifo @out(%t01, {%t00}, 2 : i32) : !aie.objectfifo<memref<24xi32>>
    aie.objectfifo.link [@in] -> [@out]([] [])
    aie.runtime_sequence(%a : memref<16xi32>, %b : memref<16xi32>, %c : memref<48xi32>) {
      %0 = aiex.dma_start_bd_chain_for @pair(%a, %b) : (memref<16xi32>, memref<16xi32>) for @in
      %1 = aiex.dma_start_bd_chain @pair(%b, %a) : (memref<16xi32>, memref<16xi32>) on (%t00, MM2S, 0)
      %2 = aiex.dma_configure_task_for @out {
        aie.dma_bd(%c : memref<48xi32>, 0, 48)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%2)
      aiex.dma_await_task(%2)
    }
  }
}
