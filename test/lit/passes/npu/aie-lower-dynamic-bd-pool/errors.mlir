// RUN: allo-opt %s --aie-lower-dynamic-bd-pool --split-input-file --verify-diagnostics

aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.runtime_sequence @seq(%a : memref<64xi32>, %n : index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error@below {{has a chain of 2 BDs in a sequence whose loops stay, and does not end in its round; await or free it in the block that configures it}}
      %x = aiex.dma_configure_task(%s, MM2S, 0) {
        aie.dma_bd(%a : memref<64xi32> offset = 0 len = 32)
        aie.next_bd ^more
      ^more:
        aie.dma_bd(%a : memref<64xi32> offset = 32 len = 32)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%x)
    }
  }
}
