// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel=shim-dma-channels-per-col=2 --verify-diagnostics
// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel=shim-dma-channels-per-col=2 2> %t.log | filecheck %s --check-prefix=AUTO
// RUN: allo-opt %s --air-dma-to-channel 2> %t.log | filecheck %s --check-prefix=TODAY
// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel | filecheck %s --check-prefix=MARCH
// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel=count-cores=true | filecheck %s --check-prefix=AUTO
// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel=shim-dma-channels-per-col=3 | filecheck %s --check-prefix=THREE
// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel='shim-dma-channels-per-col=3 force-shim-packet-flow=true' | filecheck %s --check-prefix=FORCE

// Three streams into every column and one out of it.

// TODAY: air.channel @channel_0 [2, 1] {channel_type = "npu_dma_packet"}
// MARCH: air.channel @channel_0 [2, 1]{{$}}
// AUTO: air.channel @channel_0 [2, 1] {channel_type = "dma_packet"}
// AUTO: air.channel @channel_1 [2, 1] {channel_type = "dma_packet"}
// AUTO: air.channel @channel_2 [2, 1] {channel_type = "dma_packet"}
// AUTO: air.channel @channel_3 [2, 1]{{$}}
// THREE-NOT: dma_packet
// FORCE-COUNT-4: channel_type = "dma_packet"
func.func @three_in(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s=%c1) args(%la=%a, %lb=%b) : memref<8xi32>, memref<8xi32> {
    %c2 = arith.constant 2 : index
    %c1_0 = arith.constant 1 : index
    // expected-warning@+1 {{auto-upgrading 3 input channels to dma_packet (per-column pressure 3 exceeds shim DMA limit of 2)}}
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1_0) args(%m=%la, %n=%lb) : memref<8xi32>, memref<8xi32> {
      %in = memref.alloc() : memref<8xi32, 2>
      air.dma_memcpy_nd (%in[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
      air.dma_memcpy_nd (%in[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
      air.dma_memcpy_nd (%in[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
      air.dma_memcpy_nd (%n[] [] [], %in[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
    }
  }
  return
}
