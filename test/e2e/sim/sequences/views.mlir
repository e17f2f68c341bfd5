// Views of host memory of all kinds, and locks declared in DMA programs.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    %buf = aie.buffer(%t02) {sym_name = "buf"} : memref<16xi8>
    %sd = aie.shim_dma(%t00) {
      %unused = aie.lock(%t00, 1) {init = 1 : i32}
      aie.end
    }
    %mem = aie.mem(%t02) {
      %p = aie.lock(%t02, 0) {init = 1 : i32}
      %c = aie.lock(%t02, 1) {init = 0 : i32}
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<16xi8>, 0, 16)
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<16xi8>, 0, 16)
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in(%t00, MM2S, 0)
    aie.shim_dma_allocation @out(%t00, S2MM, 0)
    memref.global "private" constant @words : memref<2xi32> = dense<[1, 2]>
    aie.runtime_sequence(%a: memref<1024xi8>, %b: memref<64xi8>, %trace: memref<16384xi8>) {
      memref.assume_alignment %a, 4096 : memref<1024xi8>
      %c16 = arith.constant 16 : index
      %i = arith.index_cast %c16 : index to i32
      %v = memref.view %a[%c16][] : memref<1024xi8> to memref<16xi32>
      %rank = memref.rank %a : memref<1024xi8>
      %w = memref.expand_shape %b [[0, 1]] output_shape [4, 16] : memref<64xi8> into memref<4x16xi8>
      %t = memref.transpose %w (d0, d1) -> (d1, d0) : memref<4x16xi8> to memref<16x4xi8, strided<[1, 16]>>
      %g = memref.get_global @words : memref<2xi32>
      %tr = arith.constant true
      %l = scf.if %tr -> (index) { scf.yield %c16 : index } else { scf.yield %c16 : index }
      aiex.npu.dma_memcpy_nd(%v[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<16xi32>
      aiex.npu.dma_memcpy_nd(%t[0, 0, 0, 16][1, 1, 1, 16][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<16x4xi8, strided<[1, 16]>>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
