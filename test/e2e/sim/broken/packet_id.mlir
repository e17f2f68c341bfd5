// Core (0, 3) sends with an id for which there is no packet flow.
// EXPECT kind=deadlock|channel-misuse|unconsumed-stream-data tile=(0,3)|(0,1)|(0,0) says=packet|flow
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %t03 = aie.tile(0, 3)
    %in2 = aie.buffer(%t02) {sym_name = "in2"} : memref<32xi32>
    %in3 = aie.buffer(%t03) {sym_name = "in3"} : memref<32xi32>
    %all = aie.buffer(%t01) {sym_name = "all"} : memref<64xi32>
    %p2 = aie.lock(%t02, 0) {init = 1 : i32, sym_name = "p2"}
    %c2 = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "c2"}
    %d2 = aie.lock(%t02, 2) {init = 0 : i32, sym_name = "d2"}
    %p3 = aie.lock(%t03, 0) {init = 1 : i32, sym_name = "p3"}
    %c3 = aie.lock(%t03, 1) {init = 0 : i32, sym_name = "c3"}
    %d3 = aie.lock(%t03, 2) {init = 0 : i32, sym_name = "d3"}
    %pa = aie.lock(%t01, 0) {init = 2 : i32, sym_name = "pa"}
    %ca = aie.lock(%t01, 1) {init = 0 : i32, sym_name = "ca"}
    // one shim channel to both cores, by packet id of its BDs
    aie.packet_flow(0x4) {
      aie.packet_source<%t00, DMA : 0>
      aie.packet_dest<%t02, DMA : 0>
    }
    aie.packet_flow(0x5) {
      aie.packet_source<%t00, DMA : 0>
      aie.packet_dest<%t03, DMA : 0>
    }
    // both cores to one channel of the memtile
    aie.packet_flow(0x1) {
      aie.packet_source<%t02, DMA : 0>
      aie.packet_dest<%t01, DMA : 0>
    }
    aie.packet_flow(0x2) {
      aie.packet_source<%t03, DMA : 1>
      aie.packet_dest<%t01, DMA : 0>
    }
    aie.flow(%t01, DMA : 2, %t00, DMA : 0)
    func.func private @negate(%m : memref<32xi32>) {
      %z = arith.constant 0 : i32
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %i32 = arith.constant 32 : index
      scf.for %i = %i0 to %i32 step %i1 {
        %v = memref.load %m[%i] : memref<32xi32>
        %w = arith.subi %z, %v : i32
        memref.store %w, %m[%i] : memref<32xi32>
      }
      return
    }
    %core2 = aie.core(%t02) {
      aie.use_lock(%c2, AcquireGreaterEqual, 1)
      func.call @negate(%in2) : (memref<32xi32>) -> ()
      aie.use_lock(%d2, Release, 1)
      aie.end
    }
    %core3 = aie.core(%t03) {
      aie.use_lock(%c3, AcquireGreaterEqual, 1)
      func.call @negate(%in3) : (memref<32xi32>) -> ()
      aie.use_lock(%d3, Release, 1)
      aie.end
    }
    %mem2 = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p2, AcquireGreaterEqual, 1)
      aie.dma_bd(%in2 : memref<32xi32>, 0, 32)
      aie.use_lock(%c2, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%d2, AcquireGreaterEqual, 1)
      aie.dma_bd(%in2 : memref<32xi32>, 0, 32) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
      aie.use_lock(%p2, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    %mem3 = aie.mem(%t03) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%p3, AcquireGreaterEqual, 1)
      aie.dma_bd(%in3 : memref<32xi32>, 0, 32)
      aie.use_lock(%c3, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 1, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%d3, AcquireGreaterEqual, 1)
      aie.dma_bd_packet(0, 9)
      aie.dma_bd(%in3 : memref<32xi32>, 0, 32)
      aie.use_lock(%p3, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    %mt = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%pa, AcquireGreaterEqual, 1)
      aie.dma_bd(%all : memref<64xi32>, 0, 32)
      aie.use_lock(%ca, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%pa, AcquireGreaterEqual, 1)
      aie.dma_bd(%all : memref<64xi32>, 32, 32)
      aie.use_lock(%ca, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %1 = aie.dma_start(MM2S, 2, ^bb4, ^bb5)
    ^bb4:
      aie.use_lock(%ca, AcquireGreaterEqual, 2)
      aie.dma_bd(%all : memref<64xi32>, 0, 64)
      aie.use_lock(%pa, Release, 2)
      aie.next_bd ^bb4
    ^bb5:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<64xi32>, %b : memref<64xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 2 : i64, metadata = @out, issue_token = true} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1], packet = <pkt_id = 4, pkt_type = 0>) {id = 0 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 32][1, 1, 1, 32][0, 0, 0, 1], packet = <pkt_id = 5, pkt_type = 0>) {id = 1 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
