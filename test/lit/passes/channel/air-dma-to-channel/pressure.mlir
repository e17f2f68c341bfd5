// RUN: allo-opt %s --air-dma-to-channel --verify-diagnostics
// RUN: allo-opt --syntax=2026-08 %s --air-dma-to-channel 2> %t.log | filecheck %s

// Of broadcasts over two columns two count as one; a channel that carries packets already counts; those between L3 and L2, and
// outputs that are few, stay.
// CHECK-DAG: air.channel @b0 [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet"}
// CHECK-DAG: air.channel @b1 [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet"}
// CHECK-DAG: air.channel @s [2, 1] {channel_type = "npu_dma_packet"}
// CHECK-DAG: air.channel @p [2, 1] {channel_type = "npu_dma_packet"}
// CHECK-DAG: air.channel @l2 [1, 1]{{$}}
// CHECK-DAG: air.channel @out [2, 1]{{$}}
air.channel @b0 [1, 1] {broadcast_shape = [2, 1]}
air.channel @b1 [1, 1] {broadcast_shape = [2, 1]}
air.channel @s [2, 1]
air.channel @p [2, 1] {channel_type = "npu_dma_packet"}
air.channel @l2 [1, 1]
air.channel @out [2, 1]
func.func @f(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.put @b0[%c0, %c0] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @b1[%c0, %c0] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @l2[%c0, %c0] (%a[] [] []) : (memref<8xi32>)
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.channel.put @s[%i, %c0] (%a[] [] []) : (memref<8xi32>)
    air.channel.put @p[%i, %c0] (%a[] [] []) : (memref<8xi32>)
    air.channel.get @out[%i, %c0] (%a[] [] []) : (memref<8xi32>)
    scf.reduce
  }
  // expected-warning@+1 {{auto-upgrading 3 input channels to dma_packet (per-column pressure 3 exceeds shim DMA limit of 2)}}
  air.segment @seg {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d2 = arith.constant 2 : index
    %m = memref.alloc() : memref<8xi32, 1>
    air.channel.get @l2[%d0, %d0] (%m[] [] []) : (memref<8xi32, 1>)
    air.herd @h tile (%x, %y) in (%sx=%d2, %sy=%d1) {
      %e0 = arith.constant 0 : index
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.get @b0[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
      air.channel.get @b1[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
      air.channel.get @s[%x, %e0] (%l[] [] []) : (memref<8xi32, 2>)
      air.channel.get @p[%x, %e0] (%l[] [] []) : (memref<8xi32, 2>)
      air.channel.put @out[%x, %e0] (%l[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}
