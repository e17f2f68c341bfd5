// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s

// 20 packet flows for each of two devices: where the module has no id left, the one takes those that only the other uses.

// CHECK: aie.device(npu1) @s1
// CHECK-DAG: aie.packet_flow(20)
// CHECK-DAG: aie.packet_flow(31)
// CHECK-DAG: aie.packet_flow(0)
// CHECK-DAG: aie.packet_flow(7)
// CHECK: aie.device(npu1) @s0
// CHECK: aie.packet_flow(0)
// CHECK: aie.packet_flow(19)
air.channel @c0 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c1 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c2 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c3 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c4 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c5 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c6 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c7 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c8 [1, 4] {channel_type = "npu_dma_packet"}
air.channel @c9 [1, 4] {channel_type = "npu_dma_packet"}
func.func @f(%a: memref<64xi32>) {
  air.launch () in () args(%x=%a) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    air.channel.put @c0[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c0[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c0[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c0[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c1[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c1[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c1[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c1[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c2[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c2[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c2[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c2[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c3[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c3[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c3[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c3[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c4[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c4[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c4[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c4[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c5[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c5[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c5[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c5[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c6[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c6[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c6[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c6[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c7[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c7[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c7[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c7[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c8[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c8[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c8[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c8[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c9[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c9[%c0, %c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c9[%c0, %c2] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c9[%c0, %c3] (%x[] [] []) : (memref<64xi32>)
    air.segment @s0 {
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      air.herd @h0 tile (%p, %q) in (%u=%d1, %v=%d4) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @c0[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c1[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c2[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c3[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c4[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
    }
    air.segment @s1 {
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      air.herd @h1 tile (%p, %q) in (%u=%d1, %v=%d4) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @c5[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c6[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c7[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c8[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c9[%p, %q] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
    }
  }
  return
}
