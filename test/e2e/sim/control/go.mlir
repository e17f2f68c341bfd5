// A control packet writes what a core sends; the host lets the core go once the packet's transfer has told that it is done.
module {
  aie.device(npu2) {
    %shim = aie.tile(0, 0)
    %tile = aie.tile(0, 2) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 27>, allocation_scheme = "basic-sequential"}
    %k = aie.buffer(%tile) {address = 4096 : i32, sym_name = "k"} : memref<4xi32>
    %o = aie.buffer(%tile) {address = 8192 : i32, sym_name = "o"} : memref<4xi32>
    %go = aie.lock(%tile, 0) {init = 0 : i32, sym_name = "go"}
    %full = aie.lock(%tile, 1) {init = 0 : i32, sym_name = "full"}
    aie.packet_flow(27) {
      aie.packet_source<%shim, DMA : 1>
      aie.packet_dest<%tile, TileControl : 0>
    }
    aie.flow(%tile, DMA : 0, %shim, DMA : 0)
    aie.shim_dma_allocation @control(%shim, MM2S, 1)
    aie.shim_dma_allocation @out(%shim, S2MM, 0)
    aie.mem(%tile) {
      %one = arith.constant 1 : i32
      %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%full, AcquireGreaterEqual, %one)
      aie.dma_bd(%o : memref<4xi32>)
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.core(%tile) {
      %one = arith.constant 1 : i32
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %4 = arith.constant 4 : index
      aie.use_lock(%go, AcquireGreaterEqual, %one)
      scf.for %i = %0 to %4 step %1 {
        %v = memref.load %k[%i] : memref<4xi32>
        memref.store %v, %o[%i] : memref<4xi32>
      }
      aie.use_lock(%full, Release, %one)
      aie.end
    }
    aie.runtime_sequence @sequence(%p: memref<5xi32>, %b: memref<4xi32>) {
      aiex.npu.dma_memcpy_nd(%p[0, 0, 0, 0][1, 1, 1, 5][0, 0, 0, 1], packet = <pkt_type = 0, pkt_id = 27>) {id = 1 : i64, metadata = @control, issue_token = true} : memref<5xi32>
      aiex.npu.dma_wait {symbol = @control}
      aiex.set_lock(%go, 1)
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<4xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
