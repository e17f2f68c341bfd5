// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s

// A channel gets the id that it asks for, others the lowest that nobody asks for. Two cores send packets of one id to one S2MM
// channel. Where the destination sees the header, or the source writes it, no BD says an id: with one id for each destination,
// each gets the packets with its own.

// CHECK-LABEL: aie.device(npu1) @seg
// CHECK: %[[T2:.*]] = aie.tile(0, 2)
// CHECK: %[[T3:.*]] = aie.tile(0, 3)
// CHECK: aie.packet_flow(1) {
// CHECK-NEXT: aie.packet_source<%[[SHIM:.*]], DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[T2]], DMA : 0>
// CHECK-NEXT: } {keep_pkt_header = true}
// CHECK: aie.packet_flow(2) {
// CHECK-NEXT: aie.packet_source<%[[T2]], DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[SHIM]], DMA : 0>
// CHECK: aie.packet_flow(2) {
// CHECK-NEXT: aie.packet_source<%[[T3]], DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[SHIM]], DMA : 0>
// CHECK: aie.packet_flow(7) {
// CHECK-NEXT: aie.packet_source<%[[SHIM]], DMA : 1>
// CHECK-NEXT: aie.packet_dest<%[[T2]], DMA : 1>
// CHECK: aie.packet_flow(9) {
// CHECK-NEXT: aie.packet_source<%[[SHIM]], DMA : 1>
// CHECK-NEXT: aie.packet_dest<%[[T3]], DMA : 0>
// CHECK: air.channel.put @keep
// CHECK-NOT: pkt_id = 1
air.channel @keep [] {channel_type = "npu_dma_packet", keep_pkt_header, packet_ids = [1]}
air.channel @deal [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet", packet_ids = [7, 9]}
air.channel @back [] {channel_type = "npu_dma_packet", packet_ids = [2]}
func.func @f(%A: memref<64xi32>, %B: memref<128xi32>, %C: memref<128xi32>) {
  air.launch () in () args(%x=%A, %y=%B, %z=%C) : memref<64xi32>, memref<128xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    air.channel.put @keep[] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @deal[%c0, %c0] (%y[] [] []) : (memref<128xi32>)
    air.channel.get @back[] (%z[] [] []) : (memref<128xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c2) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %h0 = arith.constant 0 : index
        %k = memref.alloc() : memref<65xi32, 2>
        %l1 = memref.alloc() : memref<64xi32, 2>
        %first = arith.cmpi eq, %j, %h0 : index
        scf.if %first {
          air.channel.get @keep[] (%k[] [] []) : (memref<65xi32, 2>)
        }
        air.channel.get @deal[%h0, %j] (%l1[] [] []) : (memref<64xi32, 2>)
        air.channel.put @back[] (%l1[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
