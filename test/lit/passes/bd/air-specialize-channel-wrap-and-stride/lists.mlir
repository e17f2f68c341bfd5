// RUN: allo-opt --syntax=2026-03 %s --air-specialize-channel-wrap-and-stride=scope=func | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-specialize-channel-wrap-and-stride=scope=func --air-specialize-channel-wrap-and-stride=scope=func | filecheck %s

air.channel @c []

// CHECK: #map = affine_map<()[s0] -> (s0 * 64)>
// CHECK-LABEL: func.func @lists
// CHECK-SAME:  (%[[M:.*]]: memref<64x64xi32, 1>, %[[B:.*]]: memref<1024x64xbf16, 1>, %[[I:.*]]: index)
func.func @lists(%m: memref<64x64xi32, 1>, %b: memref<1024x64xbf16, 1>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %c2048 = arith.constant 2048 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %c8 = arith.constant 8 : index
  %c32768 = arith.constant 32768 : index
  %c4096 = arith.constant 4096 : index

  // Dense neighbours become one run; its offset is in elements, and may be computed.
  // CHECK:      @c[] (%[[M]][%c2048] [%c2048] [%c1])
  // CHECK:      %[[O:.*]] = affine.apply #map()[%[[I]]]
  // CHECK:      @c[] (%[[M]][%[[O]]] [%c128] [%c1])
  air.channel.put @c[] (%m[%c32, %c0] [%c32, %c64] [%c64, %c1]) : (memref<64x64xi32, 1>)
  air.channel.put @c[] (%m[%i, %c0] [%c2, %c64] [%c64, %c1]) : (memref<64x64xi32, 1>)

  // All of it, in its own order.
  // CHECK:      @c[] (%[[M]][] [] [])
  air.channel.get @c[] (%m[%c0, %c0, %c0] [%c4, %c16, %c64] [%c1024, %c64, %c1]) : (memref<64x64xi32, 1>)

  // The offset of a dimension of one step moves to one that it can be counted in, or stays.
  // CHECK:      @c[] (%[[M]][%c12, %c4] [%c2, %c16] [%c64, %c1])
  // CHECK:      @c[] (%[[M]][%c3, %c0] [%c1, %c4] [%c1, %c2])
  air.channel.put @c[] (%m[%c3, %c0, %c4] [%c1, %c2, %c16] [%c256, %c64, %c1]) : (memref<64x64xi32, 1>)
  air.channel.put @c[] (%m[%c3, %c0] [%c1, %c4] [%c1, %c2]) : (memref<64x64xi32, 1>)

  // A merged dimension may not be longer than a descriptor's: 2 x 512 stays, as dimension 1; repetitions merge.
  // CHECK:      @c[] (%[[B]][%c0, %c0, %c0] [%c2, %c512, %c2] [%c32768, %c64, %c1])
  // CHECK:      @c[] (%[[B]][%c0, %c0] [%c8, %c2048] [%c0, %c1])
  air.channel.put @c[] (%b[%c0, %c0, %c0] [%c2, %c512, %c2] [%c32768, %c64, %c1]) : (memref<1024x64xbf16, 1>)
  air.channel.put @c[] (%b[%c0, %c0, %c0] [%c2, %c4, %c2048] [%c0, %c0, %c1]) : (memref<1024x64xbf16, 1>)

  // Padding counts dimensions: they stay.
  // CHECK:      @c[] (%[[M]][%c0, %c0] [%c32, %c64] [%c64, %c1]) {pad_after = array<i32: 0, 4>, pad_before = array<i32: 0, 4>}
  air.channel.put @c[] (%m[%c0, %c0] [%c32, %c64] [%c64, %c1]) {pad_before = array<i32: 0, 4>, pad_after = array<i32: 0, 4>} : (memref<64x64xi32, 1>)

  // Sizes that are not known stay.
  // CHECK:      @c[] (%[[M]][%c0, %c0] [%[[I]], %c16] [%c64, %c1])
  air.channel.put @c[] (%m[%c0, %c0] [%i, %c16] [%c64, %c1]) : (memref<64x64xi32, 1>)
  return
}
