// RUN: allo-opt %s --split-input-file --air-annotate-packet-ids="assign=true strict=true" --verify-diagnostics

// expected-error@+1 {{which disagrees with the packet_ids on @c: [1, 2]}}
air.channel @c [1] {channel_type = "npu_dma_packet", broadcast_shape = [2], packet_ids = [1, 2]}
func.func @pinned(%a: memref<8xi32, 2>, %b: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @c[%c0] (%a[] [] []) : (memref<8xi32, 2>)
  air.channel.get @c[%c0] (%b[] [] []) : (memref<8xi32, 2>)
  air.channel.get @c[%c1] (%b[] [] []) : (memref<8xi32, 2>)
  return
}

// -----

air.channel @c [1] {channel_type = "npu_dma_packet"}
func.func @nowhere(%a: memref<8xi32, 2>, %b: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{names a destination, but its packets reach no demultiplexer}}
  air.channel.put @c[%c0] (%a[] [] []) dest(%c0) : (memref<8xi32, 2>)
  air.channel.get @c[%c0] (%b[] [] []) : (memref<8xi32, 2>)
  return
}

// -----

// expected-error@+1 {{distributes packets from L2 or L3, and nothing upstream writes their headers}}
air.channel @c [1] {channel_type = "npu_dma_packet", broadcast_shape = [2], keep_pkt_header}
func.func @headless(%a: memref<16xi32, 1>, %b: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @c[%c0] (%a[] [] []) : (memref<16xi32, 1>)
  air.channel.get @c[%c0] (%b[] [] []) : (memref<8xi32, 2>)
  air.channel.get @c[%c1] (%b[] [] []) : (memref<8xi32, 2>)
  return
}

// -----

// expected-error@+1 {{has packet_ids [3, 4], but forwards to @c, whose ids are [1, 2]}}
air.channel @hop [1] {channel_type = "npu_dma_packet", packet_ids = [3, 4]}
air.channel @c [1] {channel_type = "npu_dma_packet", broadcast_shape = [2], keep_pkt_header, packet_ids = [1, 2]}
func.func @hops(%a: memref<16xi32, 2>, %m: memref<16xi32, 1>, %b: memref<8xi32, 2>, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @hop[%c0] (%a[] [] []) dest(%d) : (memref<16xi32, 2>)
  air.channel.get @hop[%c0] (%m[] [] []) : (memref<16xi32, 1>)
  air.channel.put @c[%c0] (%m[] [] []) : (memref<16xi32, 1>)
  air.channel.get @c[%c0] (%b[] [] []) : (memref<8xi32, 2>)
  air.channel.get @c[%c1] (%b[] [] []) : (memref<8xi32, 2>)
  return
}

// -----

air.channel @c [1] {channel_type = "npu_dma_packet", broadcast_shape = [2]}
func.func @rank(%a: memref<2x8xi32, 2>, %b: memref<8xi32, 2>, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  // expected-error@+1 {{has 1 offset on a buffer of 2 dimensions}}
  air.channel.put @c[%c0] (%a[%c0] [%c16] [%c1]) dest(%d) : (memref<2x8xi32, 2>)
  air.channel.get @c[%c0] (%b[] [] []) : (memref<8xi32, 2>)
  air.channel.get @c[%c1] (%b[] [] []) : (memref<8xi32, 2>)
  return
}
