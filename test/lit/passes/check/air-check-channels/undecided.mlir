// RUN: allo-opt %s --split-input-file --air-check-channels --verify-diagnostics
// RUN: allo-opt %s --split-input-file --air-check-channels=max-steps=3 -o %t

// A bound that only the caller knows.
air.channel @c []
func.func @bound(%l3: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{'scf.for' op not decided: what happens inside: its bounds are not known}}
  scf.for %i = %c0 to %n step %c1 {
    air.channel.put @c[] (%l3[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

// A size that is not known.
air.channel @c []
func.func @size(%l3: memref<?xi32>, %l2: memref<8xi32, 1>) {
  // expected-remark@+1 {{'air.channel.put' op not decided: how many bytes it moves over @c[], so its balance}}
  air.channel.put @c[] (%l3[] [] []) : (memref<?xi32>)
  air.channel.get @c[] (%l2[] [] []) : (memref<8xi32, 1>)
  return
}

// -----

// The other end may be in the device already.
// expected-remark@+1 {{'air.channel' op not decided: the balance of @c[]: one of its ends may be in the aie.device already}}
air.channel @c []
func.func @lowered(%l3: memref<8xi32>) {
  air.channel.put @c[] (%l3[] [] []) : (memref<8xi32>)
  return
}
aie.device(npu1) {
}

// -----

// What a header deals out is not counted, nor what is sent again.
// expected-remark@+2 {{'air.channel' op not decided: which of its packets @c[0] gets}}
// expected-remark@+1 {{'air.channel' op not decided: which of its packets @c[1] gets}}
air.channel @c [1] {channel_type = "dma_packet", broadcast_shape = [2]}
// expected-remark@+1 {{'air.channel' op not decided: how often @r[] sends each block that was put (air.refeed_count)}}
air.channel @r []
func.func @dealt(%l1: memref<16xi32, 2>, %l3: memref<8xi32>, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() {air.refeed_count = 2 : i64} : memref<4xi32, 1>
  air.channel.put @c[%c0] (%l1[] [] []) dest(%d) : (memref<16xi32, 2>)
  air.channel.get @c[%c0] (%l3[] [] []) : (memref<8xi32>)
  air.channel.get @c[%c1] (%l3[] [] []) : (memref<8xi32>)
  air.channel.put @r[] (%m[] [] []) : (memref<4xi32, 1>)
  air.channel.get @r[] (%l3[] [] []) : (memref<8xi32>)
  return
}
