// RUN: allo-opt %s --air-to-aie=test-patterns=lower-air-channels --verify-diagnostics

aie.device(npu1) {
  %s = aie.tile(1, 2)
  %t = aie.tile(1, 3)
  // expected-error@below {{has 2 puts; an objectFifo has one producer}}
  air.channel @c []
  %0 = aie.core(%s) {
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 2>)
    memref.dealloc %m : memref<8xi32, 2>
    aie.end
  }
  %1 = aie.core(%t) {
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 2>)
    memref.dealloc %m : memref<8xi32, 2>
    aie.end
  }
}
