// RUN: allo-opt --syntax=2026-03 %s --air-to-aie=test-patterns=lower-air-channels | filecheck %s

// One step alone: channels of a device become objectFifos; where an end is missing, it is external memory's, over a shim.

// CHECK-LABEL: aie.device(xcvc1902)
// CHECK-DAG: %[[A:.*]] = aie.tile(1, 1)
// CHECK-DAG: %[[B:.*]] = aie.tile(1, 2)
// CHECK-DAG: %[[S:.*]] = aie.tile(1, 0)
// CHECK-DAG: aie.objectfifo @air_c(%[[A]], {%[[B]]}, 3 : i32) : !aie.objectfifo<memref<8xi32, 2>>
// CHECK-DAG: aie.objectfifo @air_d(%[[B]], {%[[S]]}, 1 : i32) : !aie.objectfifo<memref<4xi32, 2>>
// CHECK: aie.core(%[[A]]) {
// CHECK:   %[[P:.*]] = aie.objectfifo.acquire @air_c(Produce, 1) : !aie.objectfifosubview<memref<8xi32, 2>>
// CHECK:   %[[M:.*]] = aie.objectfifo.subview.access %[[P]][0]
// CHECK:   memref.store %{{.*}}, %[[M]]
// CHECK:   aie.objectfifo.release @air_c(Produce, 1)
// CHECK: aie.core(%[[B]]) {
// CHECK-NOT: air.channel
aie.device(xcvc1902) {
  %s = aie.tile(1, 1)
  %t = aie.tile(1, 2)
  air.channel @c [1, 1] {buffer_resources = 3 : i64}
  air.channel @d [1, 1]
  %0 = aie.core(%s) {
    %c0 = arith.constant 0 : index
    %v = arith.constant 7 : i32
    %m = memref.alloc() : memref<8xi32, 2>
    memref.store %v, %m[%c0] : memref<8xi32, 2>
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 2>)
    memref.dealloc %m : memref<8xi32, 2>
    aie.end
  }
  %1 = aie.core(%t) {
    %m = memref.alloc() : memref<8xi32, 2>
    %k = air.channel.get async @c[] (%m[] [] []) : (memref<8xi32, 2>)
    air.wait_all [%k]
    memref.dealloc %m : memref<8xi32, 2>
    %n = memref.alloc() : memref<4xi32, 2>
    air.channel.put @d[] (%n[] [] []) : (memref<4xi32, 2>)
    memref.dealloc %n : memref<4xi32, 2>
    aie.end
  }
}
