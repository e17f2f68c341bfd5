// The whole control program by hand: BDs as blockwrites of constants, addresses patched, queues pushed by plain register writes.
module {
  aie.device(npu1_1col) {
    memref.global "private" constant @bd_in : memref<8xi32> = dense<[64, 0, 0, 0, 0x80000000, 0, 0, 0x2000000]>
    memref.global "private" constant @bd_out : memref<8xi32> = dense<[32, 0, 0, 0, 0x8040000F, 0, 0x10003F, 0x2000000]>
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %b = aie.buffer(%t01) {address = 256 : i32, sym_name = "b"} : memref<64xi32>
    %p = aie.lock(%t01, 5) {init = 0 : i32, sym_name = "p"}
    %c = aie.lock(%t01, 6) {init = 0 : i32, sym_name = "c"}
    aie.flow(%t00, DMA : 1, %t01, DMA : 2)
    aie.flow(%t01, DMA : 2, %t00, DMA : 0)
    %m = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 2, ^in, ^next)
    ^in:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<64xi32>, 0, 64)
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^in
    ^next:
      %1 = aie.dma_start(MM2S, 2, ^out, ^done)
    ^out:
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<64xi32>, 0, 64)
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^out
    ^done:
      aie.end
    }
    aie.runtime_sequence @go(%x : memref<64xi32>, %y : memref<192xi32>) {
      aiex.set_lock(%p, 1)
      %0 = memref.get_global @bd_in : memref<8xi32>
      aiex.npu.blockwrite(%0) {address = 118880 : ui32} : memref<8xi32>
      aiex.npu.address_patch {addr = 118884 : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}
      %1 = memref.get_global @bd_out : memref<8xi32>
      aiex.npu.blockwrite(%1) {address = 118784 : ui32, column = 0 : i32, row = 0 : i32} : memref<8xi32>
      aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 1 : i32, arg_plus = 128 : i32}
      aiex.npu.maskwrite32 {address = 118796 : ui32, value = 0x00800000 : ui32, mask = 0x3FF00000 : ui32}
      aiex.npu.write32 {address = 119300 : ui32, value = 0x80010000 : ui32}
      aiex.npu.write32 {address = 0x1D21C : ui32, column = 0 : i32, row = 0 : i32, value = 3 : ui32}
      aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
    }
  }
}
