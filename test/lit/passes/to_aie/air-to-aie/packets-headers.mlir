// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s

// The header is what the buffer starts with: of a bundle only the channel that sends the start keeps it, and adds none.

// CHECK: aie.dma_start(MM2S, 0,
// CHECK: aie.dma_bd(%[[B:.*]] : memref<128xi32, 1> offset = 0 len = 64) {task_id
// CHECK: aie.dma_start(MM2S, 1,
// CHECK: aie.dma_bd(%[[B]] : memref<128xi32, 1> offset = 64 len = 64) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>
module {
  air.channel @in []
  air.channel @down [2] {channel_type = "npu_dma_packet", keep_pkt_header}
  func.func @f(%A: memref<128xi32>) {
    air.launch () in () args(%x=%A) : memref<128xi32> {
      air.channel.put @in[] (%x[] [] []) : (memref<128xi32>)
      air.segment @seg {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c64 = arith.constant 64 : index
        %l2 = memref.alloc() : memref<128xi32, 1>
        air.channel.get @in[] (%l2[] [] []) : (memref<128xi32, 1>)
        air.channel.put @down[%c0] (%l2[%c0] [%c64] [%c1]) : (memref<128xi32, 1>)
        air.channel.put @down[%c1] (%l2[%c64] [%c64] [%c1]) : (memref<128xi32, 1>)
        air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c2) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
          %l1 = memref.alloc() : memref<64xi32, 2>
          air.channel.get @down[%j] (%l1[] [] []) : (memref<64xi32, 2>)
        }
      }
    }
    return
  }
}
