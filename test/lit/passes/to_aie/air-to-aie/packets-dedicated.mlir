// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' 2>&1 | filecheck %s
// RUN: sed 's/type = "npu_dma_packet"/type = "npu_dma_packet", air.dedicated_dma_channel/; s/, air.dedicated_dma_channel, air.ded/, air.ded/' %s | not allo-opt --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' 2>&1 | filecheck %s --check-prefix=NONE

// A channel that asks for it has a DMA channel of its own, and the others share what is left.

// CHECK: aie.packet_flow(0) {
// CHECK-NEXT: aie.packet_source<%[[S:.*]], DMA : [[A:[01]]]>
// CHECK-NEXT: aie.packet_dest<%[[T:.*]], DMA : 0>
// CHECK: aie.packet_flow(1) {
// CHECK-NEXT: aie.packet_source<%[[S]], DMA : {{[01]}}>
// CHECK-NEXT: aie.packet_dest<%[[T]], DMA : 1>
// CHECK: aie.packet_flow(2) {
// CHECK-NEXT: aie.packet_source<%[[S]], DMA : [[A]]>
// CHECK-NEXT: aie.packet_dest<%[[T]], DMA : 0>

// NONE: does not fit: core (0, 2) needs 3 S2MM DMA channels and has 2
air.channel @a [] {channel_type = "npu_dma_packet"}
air.channel @b [] {channel_type = "npu_dma_packet", air.dedicated_dma_channel}
air.channel @c [] {channel_type = "npu_dma_packet"}
func.func @f(%A: memref<64xi32>, %B: memref<64xi32>, %C: memref<64xi32>) {
  air.launch () in () args(%x=%A, %y=%B, %z=%C) : memref<64xi32>, memref<64xi32>, memref<64xi32> {
    air.channel.put @a[] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @b[] (%y[] [] []) : (memref<64xi32>)
    air.channel.put @c[] (%z[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %s1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %s1, %n = %s1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<64xi32, 2>
        %lb = memref.alloc() : memref<64xi32, 2>
        %lc = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a[] (%la[] [] []) : (memref<64xi32, 2>)
        air.channel.get @b[] (%lb[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c[] (%lc[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
