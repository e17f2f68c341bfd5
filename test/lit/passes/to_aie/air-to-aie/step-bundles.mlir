// RUN: allo-opt %s --air-to-aie=test-patterns=specialize-channel-bundle | filecheck %s

// One step alone: each channel of a bundle becomes a channel with a name.

// CHECK-LABEL: aie.device(npu1) @two
// CHECK-DAG: air.channel @channel_0 [1, 1]
// CHECK-DAG: air.channel @channel_1 [1, 1] {broadcast_shape = [1, 2]}
// CHECK-DAG: air.channel @channel_2 [1, 1] {broadcast_shape = [1, 2]}
// CHECK: aie.core
// CHECK: air.channel.put @channel_2[] (%{{.*}}[] [] [])
// CHECK: aie.core
// CHECK: air.channel.get @channel_2[] (%{{.*}}[] [] [])
// CHECK: air.channel.get @channel_0[] (%{{.*}}[] [] [])
aie.device(npu1) @two {
  %s = aie.tile(0, 2)
  %t = aie.tile(0, 3)
  air.channel @channel_0 [1, 1]
  air.channel @c [2, 1] {broadcast_shape = [2, 2]}
  %0 = aie.core(%s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.put @c[%c1, %c0] (%m[] [] []) : (memref<8xi32, 2>)
    air.channel.put @channel_0[] (%m[] [] []) : (memref<8xi32, 2>)
    memref.dealloc %m : memref<8xi32, 2>
    aie.end
  }
  %1 = aie.core(%t) {
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.get @c[%c1, %c1] (%m[] [] []) : (memref<8xi32, 2>)
    air.channel.get @channel_0[] (%m[] [] []) : (memref<8xi32, 2>)
    memref.dealloc %m : memref<8xi32, 2>
    aie.end
  }
}
