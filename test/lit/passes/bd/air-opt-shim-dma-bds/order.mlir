// RUN: allo-opt %s --air-opt-shim-dma-bds="device=npu1" | filecheck %s

// The mark of the launch goes to feeds that cores get by a broadcast, over L2, too, and to readbacks; not to other feeds.

// CHECK: air.channel.put async {{.*}}@wide{{.*}}air.preserve_shim_dma_order
// CHECK: air.channel.put async {{.*}}@l2{{.*}}air.preserve_shim_dma_order
// CHECK: air.channel.put async {{.*}}@lone[%{{[^{]*$}}
// CHECK: air.channel.get async {{.*}}@out{{.*}}air.preserve_shim_dma_order
air.channel @wide [1] {broadcast_shape = [2]}
air.channel @l2 [1]
air.channel @inner [1] {broadcast_shape = [2]}
air.channel @lone [1]
air.channel @out [1]
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%i) in (%n=%c1) args(%x=%a, %y=%b) : memref<8xi32>, memref<8xi32> attributes {air.preserve_shim_dma_order} {
    %c0 = arith.constant 0 : index
    %0 = air.channel.put async @wide[%c0] (%x[] [] []) : (memref<8xi32>)
    %1 = air.channel.put async @l2[%c0] (%x[] [] []) : (memref<8xi32>)
    %2 = air.channel.put async @lone[%c0] (%x[] [] []) : (memref<8xi32>)
    %3 = air.channel.get async @out[%c0] (%y[] [] []) : (memref<8xi32>)
    %s = air.segment @s async {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %m = memref.alloc() : memref<8xi32, 1>
      air.channel.get @l2[%d0] (%m[] [] []) : (memref<8xi32, 1>)
      air.channel.put @inner[%d0] (%m[] [] []) : (memref<8xi32, 1>)
      air.herd @h tile (%p, %q) in (%sx=%d2, %sy=%d1) {
        %l = memref.alloc() : memref<8xi32, 2>
        air.channel.get @wide[%p] (%l[] [] []) : (memref<8xi32, 2>)
        air.channel.get @inner[%p] (%l[] [] []) : (memref<8xi32, 2>)
      }
      air.herd @g tile (%p, %q) in (%sx=%d1, %sy=%d1) {
        %l = memref.alloc() : memref<8xi32, 2>
        %e0 = arith.constant 0 : index
        air.channel.get @lone[%e0] (%l[] [] []) : (memref<8xi32, 2>)
        air.channel.put @out[%e0] (%l[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}
